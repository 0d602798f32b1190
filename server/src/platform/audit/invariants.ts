import type { Statement } from '../../contract/statement.ts'
import type { Pools } from '../database/pool.ts'

/**
 * Something that must hold at every commit, as one statement that anybody can run against the database. It answers one row:
 * `checked` (how many things were looked at) and `violations` (text ids of those that break it, at most 100 of them).
 */
export type Invariant = {
  /** As in the list of invariants: `M1`, `W6` … */
  readonly id: string
  readonly title: string
  readonly statement: Statement<InvariantRow>
}

export type InvariantRow = { checked: bigint | number; violations: string[] | null }

export type InvariantReport = {
  ok: boolean
  invariants: { id: string; title: string; checked: number; violations: string[] }[]
}

export async function runInvariants(pools: Pick<Pools, 'read'>, list: readonly Invariant[]): Promise<InvariantReport> {
  const invariants: InvariantReport['invariants'] = []
  for (const { id, title, statement } of list) {
    const [row] = await pools.read(statement)
    if (!row) throw new Error(`invariant ${id} answered nothing`)
    invariants.push({ id, title, checked: Number(row.checked), violations: row.violations ?? [] })
  }
  return { ok: invariants.every(({ violations }) => violations.length === 0), invariants }
}
