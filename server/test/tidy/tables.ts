import { dirname } from 'node:path'
import ts from 'typescript'
import { namedTables } from './named-tables.ts'
import { goneSince, namedAsOwn, owners, tablesAfter, tablesFile, tablesOfMigrations } from './owners.ts'
import { at, type Finding, isServerSource, type Rule, type SourceFile } from './rule.ts'
import { isStatement, type Literal, literals } from './statements.ts'

/** What looks at everything: checks of what must hold, and what operators do and are shown. */
const exempt = /\/(?:[a-z-]+-)?invariants[^/]*\.ts$|^server\/src\/cli\//

/** Rules about whose tables are whose. */
export const tableRules: readonly Rule[] = [
  {
    name: 'table-has-one-owner',
    applies: (path) => tablesFile.test(path) || /^server\/migrations\/[^/]+\.sql$/.test(path),
    find: (file) => (file.path.endsWith('.sql') ? unowned(file) : wronglyOwned(file)),
  },
  {
    name: 'sql-names-own-tables',
    applies: (path) => isServerSource(path) && !exempt.test(path),
    find: (file) =>
      foreignTables(file).map(({ node, table }) => at(file, node, `${table} belongs to ${ownerOf(table)}`)),
  },
]

function unowned({ path, text }: SourceFile): Finding[] {
  return [...tablesAfter([text])]
    .filter((table) => !owners.has(table) && !goneSince(path).has(table))
    .map((table) => ({
      line: text.slice(0, text.indexOf(table)).split('\n').length,
      what: `nobody names the table ${table} as theirs`,
    }))
}

function wronglyOwned(file: SourceFile): Finding[] {
  return namedAsOwn(file.tree()).flatMap((node) => {
    const others = (owners.get(node.text) ?? []).filter((path) => path !== file.path)
    if (others.length > 0) return [at(file, node, `${node.text} belongs to ${others.join(' and ')} too`)]
    return tablesOfMigrations.has(node.text) ? [] : [at(file, node, `no migration makes ${node.text}`)]
  })
}

type Named = { node: ts.Node; table: string }

function foreignTables(file: SourceFile): Named[] {
  return literals(file)
    .filter(({ node }) => !ts.isLiteralTypeNode(node.parent))
    .flatMap((literal) => [...tablesIn(file.path, literal)].map((table) => ({ node: literal.node, table })))
    .filter(({ table }) => !isOwn(file.path, table))
}

/** SQL by its words; a name alone where it can only be that of a table. */
function tablesIn(path: string, literal: Literal): Set<string> {
  const { node, text } = literal
  const isSql = path.endsWith('.sql.ts')
  if (owners.has(text)) {
    if (isColumn(node)) return new Set()
    const isQueue = ts.isPropertyAssignment(node.parent) && node.parent.name.getText() === 'table'
    return new Set(isSql || isQueue ? [text] : [])
  }
  if (!isSql && !isStatement(literal)) return new Set()
  return new Set(namedTables(text, (name) => owners.has(name)).map(({ table }) => table))
}

/** A column of an aggregate may be called as a table is. */
function isColumn(node: ts.Node): boolean {
  const list = node.parent
  return (
    ts.isArrayLiteralExpression(list) &&
    ts.isPropertyAssignment(list.parent) &&
    ['key', 'json', 'fixed', 'only'].includes(list.parent.name.getText())
  )
}

function ownerOf(table: string): string {
  return (owners.get(table) ?? []).map((owner) => dirname(owner)).join(', ')
}

/** Platform keeps its tables together: what it writes of one change, in one transaction, is over all of them. */
function isOwn(path: string, table: string): boolean {
  return (owners.get(table) ?? []).some((owner) => {
    const room = owner.startsWith('server/src/platform/') ? 'server/src/platform' : dirname(owner)
    return path.startsWith(`${room}/`)
  })
}
