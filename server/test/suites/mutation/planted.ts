import type { Guard } from './guard.ts'
import type { Said } from './run-tests.ts'

type Planted = { readonly guard: Guard; readonly says: Said['kind'] }

const decideOffer = 'src/domain/buying/execution/decide-offer'

/** What the suite must tell apart, lest it counts a tree that cannot run as a guard that was missed. */
export const planted: readonly Planted[] = [
  {
    says: 'passed',
    guard: {
      id: 'planted/the-same-said-otherwise',
      keeps: 'nothing: it is not taken away',
      file: `${decideOffer}.ts`,
      find: 'asked.total > terms.maxAllowedAmount',
      replace: 'terms.maxAllowedAmount < asked.total',
      killers: [`${decideOffer}.test.ts`],
    },
  },
  {
    says: 'passed',
    guard: {
      id: 'planted/the-same-in-a-statement',
      keeps: 'nothing: it is not taken away',
      file: 'src/domain/buyers/profiles/profiles.sql.ts',
      after: "'update_profile'",
      find: 'account_id = $account_id',
      replace: '$account_id = account_id',
      killers: ['test/flows/twins.test.ts'],
    },
  },
  {
    says: 'broken',
    guard: {
      id: 'planted/no-program',
      keeps: 'nothing: what is left does not run',
      file: `${decideOffer}.ts`,
      find: 'asked.total > terms.maxAllowedAmount',
      replace: 'nobodyKnows > terms.maxAllowedAmount',
      killers: [`${decideOffer}.test.ts`],
    },
  },
]
