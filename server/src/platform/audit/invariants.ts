import type { Statement } from '../../contract/statement.ts'
import type { Pools } from '../database/pool.ts'
import type { AuditKeys } from './audit-keys.ts'

/** How many things were looked at, and the ids of those that break it. */
export type InvariantResult = {
  checked: number
  violations: string[]
  /** Nobody was asked who could tell, so that nothing is known; `isFault`: somebody was to be asked and did not answer. */
  notAsked?: { reason: string; isFault: boolean }
}

export type InvariantRow = { checked: bigint | number; violations: string[] | null }

/**
 * Something that must hold at every commit, and that anybody can check who can read the database: one statement that answers one
 * row (`checked bigint, violations text[]`, at most 100 of them, see `violationsOf`), or a check where SQL does not suffice.
 */
export type Invariant = {
  /** As in the list of invariants: `M1`, `W6` … */
  readonly id: string
  readonly title: string
  /** Holds only while workers run: what comes out of a backup is as old as the backup. */
  readonly needsWorkers?: true
} & (
  | { readonly statement: Statement<InvariantRow> }
  | { readonly check: (by: CheckedBy) => Promise<InvariantResult> }
)

/** What a check goes by. Without the keys of the audit, what they signed is not checked. */
export type CheckedBy = { readonly pools: Pick<Pools, 'read'>; readonly auditKeys: AuditKeys | null }

export type InvariantReport = { ok: boolean; invariants: ({ id: string; title: string } & InvariantResult)[] }

/** Checks every invariant, one after the other: the database has other things to do. */
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
