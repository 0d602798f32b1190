import { type Listed, missedBeside, missedBy } from './guard.ts'

/** A token is worth one purchase, once: to one merchant, within its amount and its time. */
export const tokensGuards: readonly Listed[] = [
  ...missedBeside({
    'token-of-what-was-released': ['if (!isReleased || carts.length > 0)', 'if (carts.length > 0)'],
    'token-takes-the-whole': ['if (!isReleased || carts.length > 0)', 'if (!isReleased)'],
    'token-within-the-cap': 'never',
    'token-of-its-seller': 'never',
    'token-of-the-merchant-decided': 'never',
    'token-currency': 'never',
    'frozen-hands-nothing-out': 'gone',
    'expired-is-revoked': [' || state.now >= until || isOver(state)'],
    'claimed-is-left-alone': 'always',
    'claimed-not-for-ever': 'gone',
  }),
  ...missedBy(['test/flows/payment-token-times.test.ts'], {
    'token-is-one-attempt': { how: 'gone', only: 'that nobody uses' },
    'token-in-its-time': { how: 'gone', only: 'that nobody uses' },
    'revoked-after-the-merchant': { how: ['claimed', 'declined'], only: 'without a word' },
    'waits-for-its-token': { how: 'gone', only: 'never gets its token' },
  }),
  ...missedBy(['test/flows/payment-tokens.test.ts'], {
    'token-caps-its-cart': ['BigInt(body.amount)', 'intent.max_allowed_amount'],
    'token-of-one-merchant': ['merchant_account_id !== ctx.tenant.accountId || row.mode', 'mode'],
    'token-of-one-order': 'gone',
    'token-read-under-its-lock': [
      'tx.maybe(selectToken(key)))',
      'reads.maybe(selectToken(key))) && { ...(await ctx.reads.maybe(selectToken(key))), order_id: null }',
    ],
    'token-only-once-handed-out': 'always',
    'handed-out-for-good': 'gone',
  }),
  ...missedBy(['src/domain/buying/payment-tokens/create-purchase-intent-payment-token.http.test.ts'], {
    'token-not-while-frozen': { how: 'never', only: 'what is frozen' },
  }),
  ...missedBy(['src/domain/buying/execution/place/decide-handed-over.test.ts'], {
    'too-late-to-issue': 'gone',
    'revoke-before-the-end': [
      '&& isUnsettled(revoke) ? decideReconcile(state, revoke)',
      '=== undefined ? decideReconcile(state, place)',
    ],
  }),
  ...missedBy(['test/flows/payment-token-races.test.ts'], {
    'news-during-a-call': {
      how: [' || before.cart.due_at?.getTime() !== cart.due_at?.getTime()'],
      only: 'not lost',
    },
  }),
  ...missedBy(['test/conformance/sandbox-rail.test.ts'], {
    'claimed-is-not-free': ['claimed', 'authorized'],
  }),
]
