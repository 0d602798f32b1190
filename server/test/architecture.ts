import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { readModules } from './architecture/imports.ts'
import { drawRooms, drawSlices, roomsIn } from './architecture/pictures.ts'

const page = 'docs/architecture.md'

/** The page with its generated parts as the code below `root` has them; all else is kept as it is written. */
export function architectureOf(root: string): { path: string; written: string; generated: string } {
  const path = join(root, page)
  const written = readFileSync(path, 'utf8')
  const modules = readModules(root)
  const rooms = drawRooms(modules, roomsIn(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')))
  const withRooms = withPart(written, 'rooms', rooms)
  return { path, written, generated: withPart(withRooms, 'slices', drawSlices(modules, sentencesOf(root))) }
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

function withPart(text: string, name: string, part: string): string {
  const [begin, end] = [`<!-- ${name}: generated -->`, `<!-- ${name}: end -->`]
  const [before, rest] = text.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined) throw new Error(`${page} has no markers for "${name}"`)
  return `${before}${begin}\n\n${part}\n\n${end}${after}`
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { check: { type: 'boolean' }, measure: { type: 'string', multiple: true } },
  })
  const root = resolve(import.meta.dirname, '../..')
  if (values.measure) {
    // Loads the compiler for a whole tree: only when asked for.
    const { measure, tableOf } = await import('./architecture/measure.ts')
    console.log(tableOf(values.measure.map((folder) => ({ folder, figures: measure(resolve(folder)) }))))
    return
  }
  const { path, written, generated } = architectureOf(root)
  const isCurrent = written === generated
  if (isCurrent) console.log(`${page} is as the code is`)
  else if (values.check) console.log(`${page} is out of date: run \`npm run architecture\``)
  else writeFileSync(path, generated)
  if (!isCurrent && !values.check) console.log(`wrote ${page}`)
  if (!isCurrent && values.check) process.exitCode = 1
}

if (import.meta.main) await main()
