import { decideSetup, type SetUpRow } from './decide-setup.ts'
import type { SetupFacts } from './port.ts'

/**
 * Whether strangers may name this merchant: in test mode once it has a slug, in live mode once everything is in place and its domain is
 * verified. `facts` are read only where they count.
 */
export async function isPublicInMode(
  row: SetUpRow,
  facts: () => Promise<SetupFacts | null>,
): Promise<boolean> {
  if (row.slug === null) return false
  if (row.mode === 'test') return true
  if (row.domain_verified_at === null) return false
  const known = await facts()
  return known !== null && decideSetup(row, known).status === 'live_ready'
}
