import { type Listed, missedBeside, missedBy } from './guard.ts'

/** Which worker holds a row, and that an order takes one answer. */
export const leasesGuards: readonly Listed[] = [
  ...missedBeside({
    'rows-are-found-without-a-hint': ['!== false', '=== null'],
    'no-answer-is-no-rest': ['this.#loops', '[]'],
    'one-answer-per-order': 'gone',
    'answers-to-waiting-orders': ["order.status !== 'awaiting_confirmation' || "],
    'answers-in-time': [' || (order.expires_at ?? now) <= now'],
    'answer-of-the-asked-event': { how: 'gone', only: 'must be true' },
  }),
  ...missedBy(['test/flows/native-purchase.test.ts'], {
    'freeze-reaches-carts': { how: 'never', only: 'holds a purchase where it stands' },
  }),
  ...missedBy(['src/domain/buying/execution/leases.test.ts'], {
    'question-holds-its-cart': [' && intent.reapproval.cart_id !== cart.id'],
    'lease-of-a-cart': ['id === row.id && lease_token === row.lease_token', 'id === row.id'],
    'lease-of-an-intent': ['.filter(({ lease_token }) => lease_token === row.lease_token)'],
    'unreachable-fails-at-once': 'gone',
    'lost-lease-throws': 'gone',
    'lease-ends-in-the-process': 'gone',
    'rows-are-claimed-by-one': ['(q.lease_until is null or q.lease_until <= prokura_now())', 'true'],
    'postpone-under-the-lease': ['lease_token = $lease_token', '$lease_token::bigint is not null'],
    'order-expiry-under-its-lease': ['lease_token = $lease_token', '$lease_token::bigint is not null'],
    'order-expires-when-waiting': [
      "\n     and status = 'awaiting_confirmation' and expires_at <= prokura_now()",
    ],
  }),
  ...missedBy(['src/domain/buying/execution/run-cart.test.ts'], {
    'missing-means-decide-nothing': [
      'throw new Error(`this worker has no means for a cart of ${state.cart.channel}`)',
      "return { state, next: { kind: 'rest', until: null } }",
    ],
  }),
  ...missedBy(['test/flows/means.test.ts'], {
    'lease-passes-to-what-is-served': {
      how: ['.find((cart) => wayFor({ cart, means: deps.means }) !== null)', '[0]'],
      only: 'leaves what shops sell|is begun and left',
    },
    'silent-workers-serve-nothing': {
      how: ['>', 'is not null or seen_at >'],
      only: 'silent for half a minute',
    },
  }),
  ...missedBy(['test/status.test.ts'], {
    'no-rail-no-worker': { how: 'never', only: 'does not start without a rail' },
  }),
  ...missedBy(['src/platform/work/worker.test.ts'], {
    'success-takes-failures-back': 'gone',
    'failures-are-counted': ['step_failures = step_failures + 1', 'step_failures = step_failures'],
    'failing-since-the-first-failure': ['coalesce(step_failing_since, prokura_now())', 'prokura_now()'],
  }),
  ...missedBy(['src/platform/work/fair-claims.test.ts', 'src/platform/work/worker.test.ts'], {
    'places-for-others': ['Math.floor((2 * free - held) / 3)', 'free'],
  }),
  ...missedBy(['src/platform/work/fair-claims.test.ts'], {
    'claims-go-round': ['(account_id, mode) <= ($after_account::text, $after_mode::mode)', '(1 = 2)'],
    'a-turn-each': ['order by turn, ', 'order by '],
    'nobody-is-stepped-over': ['q.account_id < m.start', 'false'],
    'what-came-due-is-found': ['except select row_at from taken', 'where false'],
    'shares-are-kept': ['where turn <= room', 'where true'],
  }),
  ...missedBy(['src/domain/buying/execution/claims.test.ts'], {
    'claims-by-means': [".join(' and ')", ".join(' and ').replace(/.*/s, 'true')"],
  }),
  ...missedBy(['test/races/locks.test.ts'], {
    'merchants-order-is-locked': { how: [' for update of o`', '`'], only: 'order' },
    'buyers-order-is-locked': {
      how: ["lock('lock_order', 'for update", "select('lock_order"],
      only: 'order',
    },
  }),
  ...missedBy(['src/domain/trade/orders/orders.http.test.ts'], {
    'confirmed-is-not-cancelled': { how: 'gone', only: 'confirmed order cannot' },
    'payment-settles-once': { how: 'never', only: 'settles once' },
  }),
]
