import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { operations, product } from '../composition.ts'
import { errorReference } from '../contract/error-reference.ts'
import { eventReference } from '../contract/event-reference.ts'
import { openApiDocument } from '../contract/openapi.ts'
import { programFiles } from '../platform/files/program-files.ts'
import { CommandFailure } from './failure.ts'

/**
 * Writes the generated documents: `server/openapi.json`, `docs/errors.md` and `docs/events.md`. With `check` it writes nothing and returns whether they
 * equal what the contract generates.
 */
export function writeOpenApi(check: boolean): boolean {
  const root = programFiles.checkout
  if (root === null)
    throw new CommandFailure('These documents are part of a checkout. Run `./prokura openapi` in one.')
  const generated = [
    {
      path: join(root, 'server/openapi.json'),
      text: `${JSON.stringify(openApiDocument(operations, product), null, 2)}\n`,
    },
    { path: join(root, 'docs/errors.md'), text: errorReference(product.problems) },
    { path: join(root, 'docs/events.md'), text: eventReference(product.events) },
  ]
  const stale = generated.filter(({ path, text }) => !existsSync(path) || readFileSync(path, 'utf8') !== text)
  for (const { path, text } of check ? [] : stale) {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
  }
  for (const { path } of stale) {
    const name = relative(root, path)
    console.log(check ? `${name} is out of date: run \`prokura openapi\`` : `wrote ${name}`)
  }
  return !check || stale.length === 0
}
