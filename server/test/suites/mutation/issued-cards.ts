import { type Listed, missedBeside, missedBy } from './guard.ts'

/** An issued card pays one merchant, within its limit and its time, and nobody else ever has its number. */
export const issuedCardsGuards: readonly Listed[] = [
  ...missedBeside({
    'closed-cards-pay-nothing': 'never',
    'freezes-decline-charges': 'never',
    'charges-in-their-currency': 'never',
    'one-merchant-a-card': 'never',
    'charges-within-the-limit': [' - card.allowed'],
  }),
  ...missedBy(['src/domain/buying/card-authorizations/card-authorizations.http.test.ts'], {
    'one-check-a-card': ['merchant === null && '],
    'charges-one-by-one': { how: [' for update'], only: 'of two at once' },
    'same-request-same-answer': {
      how: ['ctx.tx.maybe(selectAnswer({ account_id, mode, authorization_id, request }))', 'null'],
      only: 'comes again',
    },
    'late-answers-are-undone': { how: 'never', only: 'does not answer' },
  }),
  ...missedBy(['src/rails/stripe/authorization-request.test.ts'], {
    'old-messages-are-refused': 'never',
  }),
  ...missedBy(['test/conformance/card-rails.test.ts'], {
    'closing-cancels-every-card': [', ...found.cards.map(({ card: one }) => one.id)'],
    'captures-are-counted-once': ['amount - captured', 'amount'],
  }),
]
