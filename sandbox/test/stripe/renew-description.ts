import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Description } from '../../src/stripe/judge/description.ts'
import { cutDescription } from './cut-description.ts'

const root = resolve(import.meta.dirname, '../../..')
export const descriptionPath = join(root, 'sandbox/test/stripe/description.json')

/** The description that is kept, and what the package that is installed says of the same operations. */
export function descriptions(): { kept: string; cut: string } {
  const kept = readFileSync(descriptionPath, 'utf8')
  const { operations, objects }: Description = JSON.parse(kept)
  const cut = cutDescription({
    package: join(root, 'node_modules/stripe'),
    operations: Object.keys(operations),
    objects: new Set(objects),
  })
  return { kept, cut: inLines(cut) }
}

/** A line for each operation and schema. */
function inLines({ operations, schemas, kinds, ...rest }: Description): string {
  const each = (record: object) =>
    Object.entries(record)
      .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
      .join(',\n')
  const facts = Object.entries(rest).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  )
  return `{${facts.join(',\n')},\n"operations": {\n${each(operations)}\n},\n"schemas": {\n${each(schemas)}\n},\n"kinds": {\n${each(kinds)}\n}}\n`
}

if (import.meta.main) writeFileSync(descriptionPath, descriptions().cut)
