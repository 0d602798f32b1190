import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** The protocol's own schemas, as its authors have published them: data, and nobody's code. */
const root = join(import.meta.dirname, '../../server/test/fixtures/ucp')

/** What is wrong with a value by a schema of a release; null: nothing. */
export function protocolSchemas(release: string): (schema: string, value: unknown) => string | null {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  const schemas: Record<string, object> = JSON.parse(readFileSync(join(root, `${release}.json`), 'utf8'))
  for (const [file, schema] of Object.entries(schemas)) ajv.addSchema({ ...schema, $id: idOf(file) })
  return (name, value) => {
    const validate = ajv.getSchema(idOf(name)) ?? ajv.compile({ $ref: idOf(name) })
    return validate(value) ? null : ajv.errorsText(validate.errors)
  }
}

function idOf(file: string): string {
  return `https://ucp.test/${file}`
}
