import type { Reads } from '../../../contract/context.ts'
import { decideSetup, type SetUpRow } from './decide-setup.ts'
import { selectSetupFacts } from './merchant.sql.ts'

/**
 * Whether strangers may name this merchant: in test mode once it has a slug, in live mode once everything is in place and its domain
 * is verified.
 */
export async function isPublicInMode(reads: Pick<Reads, 'maybe'>, row: SetUpRow): Promise<boolean> {
  if (row.slug === null) return false
  if (row.mode === 'test') return true
  if (row.domain_verified_at === null) return false
  const facts = await reads.maybe(selectSetupFacts({ account_id: row.account_id, mode: row.mode }))
  return facts !== null && decideSetup(row, facts).status === 'live_ready'
}
