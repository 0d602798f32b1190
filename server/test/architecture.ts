import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readModules } from './architecture/imports.ts'
import { measure, tableOf } from './architecture/measure.ts'
import { drawRooms, drawSlices, roomsIn } from './architecture/pictures.ts'
import { withPart } from './generated-part.ts'

const page = 'docs/architecture.md'

/** The page with its generated parts as the code below `root` has them; all else is kept as it is written. */
export function architectureOf(root: string): { path: string; written: string; generated: string } {
  const path = join(root, page)
  const written = readFileSync(path, 'utf8')
  const modules = readModules(root)
  const rooms = drawRooms(modules, roomsIn(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')))
  const withRooms = withPart(page, written, 'rooms', rooms)
  return {
    path,
    written,
    generated: withPart(page, withRooms, 'slices', drawSlices(modules, sentencesOf(root))),
  }
}

/** What each slice says that it does. Its `slice.ts` is read as text: nothing of the tree is run. */
function sentencesOf(root: string): ReadonlyMap<string, string> {
  const texts = globSync('server/src/domain/**/slice.ts', { cwd: root }).map((path) =>
    readFileSync(join(root, path), 'utf8'),
  )
  return new Map(
    texts.flatMap((text) => {
      const [, name, , about] = /^ {2}name: '(.+)',\n {2}about:\s+(['"])(.+)\2,$/m.exec(text) ?? []
      return name === undefined || about === undefined ? [] : [[name, about] as const]
    }),
  )
}

async function main(): Promise<void> {
  const { values } = parseArgs({ options: { check: { type: 'boolean' } } })
  const root = resolve(import.meta.dirname, '../..')
  const { path, written, generated } = architectureOf(root)
  const measured = withPart(page, generated, 'measure', tableOf(measure(root)))
  const isCurrent = written === measured
  if (isCurrent) console.log(`${page} is as the code is`)
  else if (values.check) console.log(`${page} is out of date: run \`npm run architecture\``)
  else writeFileSync(path, measured)
  if (!isCurrent && !values.check) console.log(`wrote ${page}`)
  if (!isCurrent && values.check) process.exitCode = 1
}

if (import.meta.main) await main()
