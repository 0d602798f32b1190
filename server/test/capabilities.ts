import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { declared, platformsTable, waysTable } from './capabilities/tables.ts'
import { withPart } from './generated-part.ts'

const page = 'README.md'

/** The page with the tables that the program's declarations make; all else is kept as it is written. */
export function capabilitiesOf(root: string): { path: string; written: string; generated: string } {
  const path = join(root, page)
  const written = readFileSync(path, 'utf8')
  const optional = ['package.json', 'server/package.json'].flatMap((file) =>
    Object.keys(JSON.parse(readFileSync(join(root, file), 'utf8')).optionalDependencies),
  )
  const withWays = withPart(page, written, 'ways', waysTable(declared))
  return { path, written, generated: withPart(page, withWays, 'platforms', platformsTable(optional)) }
}

if (import.meta.main) {
  const { path, written, generated } = capabilitiesOf(resolve(import.meta.dirname, '../..'))
  if (written !== generated) writeFileSync(path, generated)
  console.log(written === generated ? `${page} is as the code declares` : `wrote ${page}`)
}
