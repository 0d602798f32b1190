import type { Statement } from '../../contract/statement.ts'

const fused = new Map<string, { name: string; text: string }>()

/** Inserts into different tables can share one statement: none of them reads or updates what another one writes. */
export function isInsert(statement: Statement<unknown>): boolean {
  return statement.text.trimStart().startsWith('insert into')
}

/**
 * The writes as fewer statements: neighbors that write different tables, and read none, become one. The fixed cost of a statement, in
 * PostgreSQL and in the driver, is as high as the cost of writing a row (measured: 60 µs). They see one snapshot, so none may read what
 * another writes.
 */
export function fuseNeighbours(statements: readonly Statement<unknown>[]): Statement<unknown>[] {
  type Run = { writes: Statement<unknown>[]; tables: Set<string> }
  const runs: Run[] = []
  let run: Run | undefined
  for (const statement of statements) {
    const table = plainlyWritten(statement)
    if (run && table !== null && run.tables.size > 0 && !run.tables.has(table)) {
      run.writes.push(statement)
      run.tables.add(table)
      continue
    }
    const next = { writes: [statement], tables: new Set(table === null ? [] : [table]) }
    runs.push(next)
    if (!statement.isAside) run = next
  }
  return runs.map(({ writes }) => fuse(writes))
}

/**
 * Several writes as one statement: `with a as (…), b as (…) insert …`. It is committed by itself, in one round trip, and
 * PostgreSQL plans and parses it once per connection. Foreign keys are checked at its end, so the order does not matter.
 */
export function fuse(statements: readonly Statement<unknown>[]): Statement<unknown> {
  const [only] = statements
  if (statements.length === 1 && only) return only
  const key = statements.map((statement) => statement.name).join('+')
  const known = fused.get(key) ?? compose(key, statements)
  return { ...known, values: statements.flatMap((statement) => statement.values) }
}

const tables = new Map<string, string | null>()

/** The table of a named write that reads no other table, or says that it may share a statement; null for every other statement. */
function plainlyWritten({ name, text, isAlone }: Statement<unknown>): string | null {
  if (name === '') return null
  const known = tables.get(name)
  if (known !== undefined) return known
  const table =
    !isAlone && /\b(?:select|from|with|using|returning)\b/.test(text)
      ? null
      : (/^\s*(?:insert into|update) ([a-z_.]+)/.exec(text)?.[1] ?? null)
  tables.set(name, table)
  return table
}

function compose(key: string, statements: readonly Statement<unknown>[]): { name: string; text: string } {
  let offset = 0
  const parts = statements.map((statement) => {
    const shift = offset
    offset += statement.values.length
    return statement.text.replace(/\$(\d+)/g, (_, position: string) => `$${Number(position) + shift}`)
  })
  const main = parts.pop() ?? ''
  const text = `with ${parts.map((part, index) => `w${index} as (${part})`).join(', ')} ${main}`
  const composed = { name: `fused_${fused.size}`, text }
  fused.set(key, composed)
  return composed
}
