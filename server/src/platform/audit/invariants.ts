import type { Statement } from '../../contract/statement.ts'
import type { Pools } from '../database/pool.ts'
import type { AuditKeys } from './audit-keys.ts'

/** How many things were checked, and the ids of those that break the invariant. */
export type InvariantResult = {
  checked: number
  violations: string[]
  /** The party that knows was not asked, so the result is open; `isFault`: it should have been asked, and did not answer. */
  notAsked?: { reason: string; isFault: boolean }
}

export type InvariantRow = { checked: bigint | number; violations: string[] | null }

/**
 * A condition that must hold at every commit, and that anybody who can read the database can check: one statement that returns one row
 * (`checked bigint, violations text[]`, at most 100 of them, see `violationsOf`), or a check in code where SQL is not enough.
 */
export type Invariant = {
  /** As in the list of invariants: `M1`, `W6` … */
  readonly id: string
  readonly title: string
  /** It holds only while workers run: the rows of a restored backup are as old as the backup. */
  readonly needsWorkers?: true
} & (
  | { readonly statement: Statement<InvariantRow> }
  | { readonly check: (by: CheckedBy) => Promise<InvariantResult> }
)

/** What a check uses. Without the keys of the audit, signatures are not checked. */
export type CheckedBy = { readonly pools: Pick<Pools, 'read'>; readonly auditKeys: AuditKeys | null }

export type InvariantReport = { ok: boolean; invariants: ({ id: string; title: string } & InvariantResult)[] }

/** Checks every invariant, one after the other, because the database has other work as well. */
export async function runInvariants(by: CheckedBy, list: readonly Invariant[]): Promise<InvariantReport> {
  const invariants: InvariantReport['invariants'] = []
  for (const invariant of list) {
    const { id, title } = invariant
    invariants.push({ id, title, ...(await resultOf(by, invariant)) })
  }
  const ok = invariants.every(({ violations, notAsked }) => violations.length === 0 && !notAsked?.isFault)
  return { ok, invariants }
}

async function resultOf(by: CheckedBy, invariant: Invariant): Promise<InvariantResult> {
  if ('check' in invariant) return invariant.check(by)
  const [row] = await by.pools.read(invariant.statement)
  if (!row) throw new Error(`invariant ${invariant.id} answered nothing`)
  return { checked: Number(row.checked), violations: row.violations ?? [] }
}
