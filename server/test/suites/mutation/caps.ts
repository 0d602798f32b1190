import { type Listed, missedBeside, missedBy } from './guard.ts'

/** Caps, amounts and currencies, in code and in the database. */
export const capsGuards: readonly Listed[] = [
  ...missedBeside({
    'cap-is-divided': 'always',
    'new-price-within-the-maximum': 'gone',
    'shares-keep-the-sum': ['(shares[index] ?? 0n) + 1n', 'shares[index] ?? 0n'],
  }),
  ...missedBy(['src/domain/buying/execution/hear.test.ts'], {
    'cap-before-a-charge': 'never',
    'cap-before-every-charge': 'gone',
  }),
  ...missedBy(['src/domain/buying/intents/decisions.test.ts'], {
    'callers-maximum': 'always',
    'policies-lower-the-cap': ['min(own, verdict.cap)', 'own'],
  }),
  ...missedBy(['src/domain/buying/intents/create/create-purchase-intent.http.test.ts'], {
    'one-currency-per-intent': {
      how: ['(one) => one !== currency', "(one) => one === ''"],
      only: 'must share it',
    },
  }),
]
