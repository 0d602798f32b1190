import { type Listed, missedBeside, missedBy } from './guard.ts'

/** Live mode moves the money of people, by cards that its rail keeps. */
export const liveGuards: readonly Listed[] = [
  ...missedBy(['test/flows/live-purchase.test.ts'], {
    'setup-is-used-once': [' and used_at is null'],
    'entered-and-agreed': 'never',
    'kept-cards-are-forgotten': [
      'await keeper.forget(row.kept_method, { mode, timeoutMs: vaultBudgetMs })',
      "{ kind: 'gone' as string }",
    ],
    'forgetful-rails-are-asked-by-the-call': [' || isForgetful'],
    'paid-merchants-sell': 'never',
  }),
  ...missedBy(['src/domain/buyers/wallets/wallet-sign-ins.http.test.ts'], {
    'tenant-of-wallets': ['profile_id = $profile_id and '],
    'wallet-renewed-once': ['(renewing_until is null or renewing_until <= $now)', 'true'],
    'ended-wallets-keep-nothing': ['sealed = null, '],
    'wallets-by-the-account': 'never',
    'wallets-are-signed-out': [
      'await ctx.port(WalletKeepers).signOut(refresh, { mode, timeoutMs: callMs })',
      "{ kind: 'gone' as string }",
    ],
    'signed-out-by-a-word': ["errorIn(said) === 'invalid_grant'", 'true'],
  }),
  ...missedBy(['src/domain/buying/execution/offer/payable.test.ts'], {
    'no-card-no-page': ['means.cardless.includes(rail)', 'false'],
    'wallets-pay-at-pages': 'never',
    'wallets-pay-in-their-currency': 'never',
    'wallets-pay-up-to-their-limit': 'never',
  }),
  ...missedBy(['test/flows/disputes.test.ts'], {
    'each-event-once': ['do nothing', 'do update set received_at = excluded.received_at'],
    'early-events-come-again': 'never',
    'early-events-hold-the-page': 'never',
    'what-is-not-recovered-is-owed': [
      'owed_amount: before.owed_amount + amount',
      'owed_amount: before.owed_amount',
    ],
    'shares-move-once': ['${moves}', '${moves}:${Date.now()}'],
    'disputed-money-is-not-refunded': 'never',
  }),
  ...missedBy(['test/conformance/stripe-disputes.test.ts'], {
    'disputed-refunds-end': 'never',
  }),
  ...missedBy(['test/flows/live-limits.test.ts'], {
    'live-currency-is-named': ['.get(currency) ?? 0n', '.get(currency) ?? noLimit'],
    'live-day': 'never',
    'live-day-at-approvals': 'never',
    'first-live-approvals': 'never',
    'first-live-purchases-by-a-person': [
      "found.purchases < countedMax ? 'first_purchases' : 'open'",
      "'open' as const",
    ],
  }),
  ...missedBy(['src/domain/buying/execution/advance.properties.test.ts'], {
    'held-before-a-card': ["isBehind ? decideHold(state, 'authorize') : null", 'null'],
    'card-ends-before-its-money': [
      "card.status !== 'authorized' || effectOf(state, 'revoke', attempt)?.state === 'done'",
      'true',
    ],
    'beyond-the-limit-is-ours': ['captured > limit ? captured - limit : 0n', '0n'],
  }),
  ...missedBy(['src/domain/buying/execution/follow-hold.test.ts'], {
    'said-once': [' || isSaid(state, due.status)'],
  }),
  ...missedBy(['src/domain/buying/execution/funding/billed-to.test.ts'], {
    'billed-to-the-holder': 'always',
  }),
  ...missedBy(['src/domain/buying/execution/funding/refunds-behind.test.ts'], {
    'one-amount-a-refund': [' || funding.returning_amount > 0n'],
  }),
  ...missedBy(['src/domain/buying/card-authorizations/card-program.test.ts'], {
    'unasked-charges-stop-cards': 'never',
    'stopped-cards-are-not-shown': 'never',
  }),
  ...missedBy(['src/domain/buying/card-authorizations/open-card.test.ts'], {
    'cards-opened-one-by-one': 'gone',
  }),
  ...missedBy(['test/flows/live-pages.test.ts'], {
    'captured-before-the-bank-lets-go': { how: [' || state.now >= latest'], only: 'follows parcels' },
    'cards-within-the-balance': { how: 'never', only: 'waits for money' },
    'funds-are-not-waited-for-ever': { how: 'always', only: 'ends a purchase' },
  }),
  ...missedBy(['test/conformance/stripe-currencies.test.ts'], {
    'counted-as-stripe-counts': ['countedOtherwise[currency] ?? '],
    'only-what-stripe-can-count': [' || (ofThreeDecimals.includes(currency) && told % 10n !== 0n)'],
    'unknown-currencies-are-refused': 'never',
  }),
  ...missedBy(['test/conformance/stripe-rail-faults.test.ts'], {
    'captures-say-how-much': [
      "status === 'captured' ? body.amount_received : 0",
      'body.amount_received ?? 0',
    ],
  }),
  ...missedBy(['test/conformance/stripe-rail.test.ts'], {
    'captured-for-what-was-asked': 'always',
  }),
  ...missedBy(['src/domain/accounts/live-limits/live-days.test.ts'], {
    'a-day-has-its-limit': ['day.used > $most::bigint', 'false'],
  }),
  ...missedBy(['test/flows/live-payouts.test.ts'], {
    'one-account-a-merchant': [
      '`payout_account:${accountId}:',
      '`payout_account:${accountId}:${performance.now()}:',
    ],
  }),
  ...missedBeside({
    'closed-accounts-sell-nothing': 'never',
    'opened-accounts-are-proven': 'always',
    'refund-elsewhere-is-found': [' && !isOfOurs'],
    'second-move-is-found': [' || (ours.reference ?? reference) !== reference'],
    'another-currency-is-found': 'never',
    'another-amount-is-found': 'always',
  }),
  ...missedBy(['test/flows/reconciled-days.test.ts'], {
    'move-of-ours-is-found': { how: 'never', only: 'what only a row has' },
  }),
]
