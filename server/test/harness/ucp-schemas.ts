import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { ClientRelease } from '../../src/protocols/ucp/releases.ts'

const root = join(import.meta.dirname, '../fixtures/ucp')

/** What is wrong with a value by a schema of the protocol, such as `schemas/ucp.json#/$defs/base`; null: nothing. */
export type UcpSchemas = (schema: string, value: unknown) => string | null

/** The protocol's own schemas of a release, compiled by a validator that the product does not use. */
export function ucpSchemas(release: ClientRelease): UcpSchemas {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  const schemas: Record<string, object> = JSON.parse(readFileSync(join(root, `${release}.json`), 'utf8'))
  // Their own ids do not say where they stand in the release, and their references go by that.
  for (const [file, schema] of Object.entries(schemas)) ajv.addSchema({ ...schema, $id: idOf(file) })
  const compiled = new Map<string, ValidateFunction>()
  return (name, value) => {
    const validate = compiled.get(name) ?? ajv.compile({ $ref: idOf(name) })
    compiled.set(name, validate)
    return validate(value) ? null : ajv.errorsText(validate.errors)
  }
}

function idOf(file: string): string {
  return `https://ucp.test/${file}`
}
