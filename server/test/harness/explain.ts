import type { Client } from 'pg'
import type { Statement } from '../../src/contract/statement.ts'

type Cost = { readonly rows: number; readonly buffers: number; readonly ms: number }

/** The cost of a statement as our processes run it, with a plan for any values. Its writes, and those of `before`, are rolled back. */
export async function costOf<Row>(
  client: Client,
  { text, values }: Statement<Row>,
  before: () => Promise<unknown> = async () => undefined,
): Promise<Cost> {
  await client.query('begin')
  try {
    await before()
    await client.query('set local plan_cache_mode = force_generic_plan')
    await client.query(`prepare asked as ${text}`)
    const given = values.map(literal).join(', ')
    const { rows } = await client.query(`explain (analyze, buffers, format json) execute asked (${given})`)
    const [{ Plan: plan, 'Execution Time': ms }] = rows[0]['QUERY PLAN']
    return { rows: plan['Actual Rows'], buffers: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'], ms }
  } finally {
    await client.query('rollback')
    await client.query('deallocate all')
  }
}

function literal(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return `'{${value.join()}}'`
  return `'${String(value).replaceAll("'", "''")}'`
}
