import type { Guard } from './guard.ts'
import type { Said } from './run-tests.ts'

type Planted = { readonly guard: Guard; readonly says: Said['kind'] }

const decideOffer = 'src/domain/buying/execution/offer/decide-offer'

/** Planted cases, so that the suite never counts a tree that cannot run as one whose guard a test missed. */
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
      after: "'lock_payment_method_owner'",
      find: 'account_id = $account_id',
      replace: '$account_id = account_id',
      killers: ['test/flows/twins.test.ts'],
    },
  },
  {
    says: 'broken',
    guard: {
      id: 'planted/no-program',
      keeps: 'nothing: the rest of the file does not run',
      file: `${decideOffer}.ts`,
      find: 'asked.total > terms.maxAllowedAmount',
      replace: 'nobodyKnows > terms.maxAllowedAmount',
      killers: [`${decideOffer}.test.ts`],
    },
  },
]
