import type { Client } from 'pg'
import { invariants as allInvariants } from '../../src/composition.ts'
import type { Statement } from '../../src/contract/statement.ts'
import { type Invariant, runInvariants } from '../../src/platform/audit/invariants.ts'
import type { TestApp } from './app.ts'

/** The violations of these invariants in the database of a test. */
export async function brokenInvariants(
  { parts }: Pick<TestApp, 'parts'>,
  list: readonly Invariant[],
): Promise<string[]> {
  const { invariants } = await runInvariants(parts, list)
  return invariants.flatMap(({ id, violations }) => violations.map((violation) => `${id} ${violation}`))
}

/** What an invariant says on this connection. */
export async function verdictOf(
  database: Client,
  id: string,
): Promise<{ checked: number; violations: string[] }> {
  const invariant = allInvariants.find((one) => one.id === id)
  if (!invariant) throw new Error(`there is no invariant ${id}`)
  const read = async <Row>({ text, values }: Statement<Row>) => {
    const { rows } = await database.query(text, [...values])
    return rows as Row[] // as its statement says
  }
  const { invariants } = await runInvariants({ pools: { read }, auditKeys: null }, [invariant])
  const [{ checked, violations } = { checked: 0, violations: [] }] = invariants
  return { checked, violations }
}

/** What it says of a damage that no constraint and no trigger prevents, in a transaction that is undone. */
export async function verdictAfter(
  database: Client,
  damage: string,
  { id, without }: { id: string; without?: readonly [table: string, constraint: string] | undefined },
): Promise<{ checked: number; violations: string[] }> {
  await database.query('begin')
  try {
    await database.query('set local session_replication_role = replica')
    if (without) await database.query(`alter table ${without[0]} drop constraint ${without[1]}`)
    await database.query(damage)
    return await verdictOf(database, id)
  } finally {
    await database.query('rollback')
  }
}
