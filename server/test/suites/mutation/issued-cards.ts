import { type Listed, missedBy } from './guard.ts'

/** An issued card pays one merchant, within its limit and its time, and nobody else ever has its number. */
export const issuedCardsGuards: readonly Listed[] = [
  ...missedBy(['test/conformance/card-rails.test.ts'], {
    'closing-cancels-every-card': [', ...found.cards.map(({ card: one }) => one.id)'],
    'captures-are-counted-once': ['amount - captured', 'amount'],
  }),
]
