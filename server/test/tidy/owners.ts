import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import ts from 'typescript'
import { everyNode } from './rule.ts'

/** Where a slice, a folder of platform, or the vault says which tables are its own. */
export const tablesFile = /^server\/src\/(?:domain\/.+\/slice|(?:platform\/.+|vault)\/tables)\.ts$/

const root = resolve(import.meta.dirname, '../../..')

const migrations = globSync('server/migrations/*.sql', { cwd: root })
  .sort()
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))

/** Every table and view that the migrations leave behind. */
export const tablesOfMigrations: ReadonlySet<string> = tablesAfter(migrations.map(({ text }) => text))

/** What later migrations than this one have renamed or dropped. */
export function goneSince(migration: string): Set<string> {
  const until = tablesAfter(migrations.filter(({ path }) => path <= migration).map(({ text }) => text))
  return new Set([...until].filter((table) => !tablesOfMigrations.has(table)))
}

/** The files that name each table as theirs. */
export const owners: ReadonlyMap<string, readonly string[]> = ownersIn(
  globSync(['server/src/domain/**/slice.ts', 'server/src/{platform,vault}/**/tables.ts'], { cwd: root }).map(
    (path) => [path.replaceAll('\\', '/'), readFileSync(join(root, path), 'utf8')],
  ),
)

/** The tables that migrations make, less those that they rename or drop. */
export function tablesAfter(texts: readonly string[]): Set<string> {
  const tables = new Set<string>()
  const change =
    /(?:create\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?|create\s+(?:or\s+replace\s+)?view\s+)([\w.]+)|alter\s+table\s+([\w.]+)\s+rename\s+to\s+(\w+)|drop\s+(?:table|view)\s+(?:if\s+exists\s+)?([\w.]+)/gi
  for (const text of texts) {
    for (const [, made, before, after, dropped] of text.replace(/--[^\n]*/g, '').matchAll(change)) {
      if (made) tables.add(made)
      if (before && after) tables.add(after)
      const gone = before ?? dropped
      if (gone) tables.delete(gone)
    }
  }
  return tables
}

/** The strings of `tables: [...]` of a slice, or of `const tables = [...]`, each with its place. */
export function namedAsOwn(tree: ts.SourceFile): ts.StringLiteral[] {
  for (const node of everyNode(tree)) {
    const isList = ts.isVariableDeclaration(node) || ts.isPropertyAssignment(node)
    if (isList && node.name.getText() === 'tables' && node.initializer)
      return [...everyNode(node.initializer)].filter(ts.isStringLiteral)
  }
  return []
}

function ownersIn(files: readonly (readonly [path: string, text: string])[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [path, text] of files) {
    const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS)
    for (const { text: table } of namedAsOwn(tree)) found.set(table, [...(found.get(table) ?? []), path])
  }
  return found
}
