import { type Listed, missedBeside, missedBy } from './guard.ts'

/** The next step of a cart, and what is known of calls that may have landed. */
export const stepsGuards: readonly Listed[] = [
  ...missedBeside({
    'ids-of-parts-never-meet': ['/${part}`', '/${part & 1}`'],
    'ids-of-parts-are-of-their-whole': ['whole}/$', 'prefix}/$'],
    'stranger-unpaid-confirmation-for-a-person': ["fail('outcome_unknown')", "{ kind: 'succeed' }"],
    'stranger-may-release': 'never',
    'stranger-revoked-before-the-end': [': releaseHold(state, [hold])', ': uncharged(place)'],
    'stranger-given-up-in-its-time': [
      'atLatest(verify(state, counted, hold.attempt), latest)',
      'verify(state, counted, hold.attempt)',
    ],
    'offer-within-the-cap': 'never',
    'offer-within-the-tolerance': 'never',
    'offer-within-the-fee': 'never',
    'offer-in-the-currency': 'never',
    'offer-adds-up': [' && totalOf(asked) === total'],
    'frozen-begins-nothing': 'gone',
    'frozen-sends-nothing-again': 'gone',
    'frozen-places-nothing': 'gone',
    'unapproved-buys-nothing': 'gone',
    'over-buys-nothing': 'gone',
    'cleanup-buys-nothing': ['!isCleanup(state) && '],
    'unsettled-first': 'gone',
    'stale-holds-first': 'gone',
    'a-person-decides': 'gone',
    'charged-without-an-order': ["?.status === 'captured'", ' === undefined'],
    'money-before-the-order': 'never',
    'money-that-lasts': ['>= after(hold.expires_at, -pace.holdMarginSeconds)', '< state.now'],
    'sends-end': ['pay.tries >= pace.sendTriesMax || '],
    'orders-are-sent-so-often': ['place.tries >= pace.sendTriesMax || '],
    'frozen-repeats-nothing': 'never',
    'one-time-for-a-person': ['before !== null && before.until < until', 'before === null'],
    'unwanted-payments-are-closed': ['isWanted ? until : (state.cart.completed_at ?? state.now)', 'until'],
    'nobody-came': 'never',
    'closed-before-not-placed': ['close(state, effect)', "{ kind: 'settle', ...named(effect) }"],
    'proof-takes-time': 'never',
    'credential-before-not-placed': 'gone',
    'silent-merchant-charged': ["?.status === 'captured'", ' === undefined'],
    'capture-of-a-running-cart': 'always',
    'not-sent-proves-nothing-twice': 'never',
  }),
  ...missedBy(['src/domain/buying/execution/follow-person.test.ts'], {
    'closed-for-want-of-its-person': ['personOf(pay) === null', 'pay !== null'],
  }),
  ...missedBy(['test/flows/rail-holds.test.ts'], {
    'unknown-hold-is-found': ["said[index] === 'authorized'", "said[index] === 'never'"],
    'missing-hold-is-found': ['authorized', 'failed'],
  }),
  ...missedBy(['src/domain/buying/execution/decide-step.test.ts', 'test/flows/unknown-outcome.test.ts'], {
    'refund-before-a-retry': 'never',
  }),
  ...missedBy(['src/domain/buying/execution/hear.test.ts'], {
    'late-capture-is-no-charge': [" && state.cart.status === 'in_progress'"],
    'earlier-attempts-are-not-current': ['===', '<='],
    'no-return-from-capture': ["money === 'takes' && isFirst", 'false'],
    'no-return-from-the-submit': ['changeCart(before, { past_no_return: true })', 'before'],
  }),
  ...missedBy(['src/domain/buying/execution/advance.properties.test.ts'], {
    'one-rail-an-attempt': ['first === null ? railOfPayer(state) : first.rail', 'state.means.rail'],
    'missing-rail-decides-nothing': 'gone',
    'charged-is-its-cost': [" === 'credential'", " === 'authorization'"],
    'stranger-asked-with-pauses': ["effectOf(state, 'revoke', place.attempt) ?? "],
  }),
  ...missedBy(['test/flows/native-purchase.test.ts'], {
    'journalled-before-sent': 'gone',
  }),
  ...missedBy(['src/domain/buying/execution/leases.test.ts'], {
    'call-inside-the-lease': 'gone',
  }),
]
