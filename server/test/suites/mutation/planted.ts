import { type Guard, type Listed, missedBeside, missedBy } from './guard.ts'
import { sources } from './guards.ts'
import { placed } from './marks.ts'
import type { Said } from './run-tests.ts'

type Planted = { readonly guard: Guard; readonly says: Said['kind'] }

const total = 'asked.total > terms.maxAllowedAmount'

/** They take nothing away, but the last, without which the file does not run. */
export const plantedEntries: readonly Listed[] = [
  ...missedBeside({
    'offer-within-the-cap/the-same-said-otherwise': [total, 'terms.maxAllowedAmount < asked.total'],
  }),
  ...missedBy(['test/flows/twins.test.ts'], {
    'tenant-of-owner-of-cards/the-same-in-a-statement': [
      'account_id = $account_id',
      '$account_id = account_id',
    ],
  }),
  ...missedBeside({ 'offer-within-the-cap/no-program': [total, 'nobodyKnows > terms.maxAllowedAmount'] }),
]

/** Planted cases, so that the suite never counts a tree that cannot run as one whose guard a test missed. */
export const planted: readonly Planted[] = placed(plantedEntries, sources).map((guard) => ({
  guard,
  says: guard.id.endsWith('/no-program') ? 'broken' : 'passed',
}))
