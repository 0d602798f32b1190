import type { Statement } from '../../contract/statement.ts'

const fused = new Map<string, { name: string; text: string }>()

/** Inserts into different tables can share one statement: none of them reads or updates what another one writes. */
export function isInsert(statement: Statement<unknown>): boolean {
  return statement.text.trimStart().startsWith('insert into')
}

/**
 * Several inserts as one statement: `with a as (…), b as (…) insert …`. It is committed by itself, in one round trip, and
 * PostgreSQL plans and parses it once per connection. Foreign keys are checked at its end, so the order does not matter.
 */
export function fuse(statements: readonly Statement<unknown>[]): Statement<unknown> {
  const [only] = statements
  if (statements.length === 1 && only) return only
  const key = statements.map((statement) => statement.name).join('+')
  const known = fused.get(key) ?? compose(key, statements)
  return { ...known, values: statements.flatMap((statement) => statement.values) }
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
