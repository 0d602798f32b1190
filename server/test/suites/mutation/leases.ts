import { type Guard, guardsOf } from './guard.ts'

const leases = 'src/domain/buying/execution/leases.test.ts'
const nativePurchase = 'test/flows/native-purchase.test.ts'
const worker = 'src/platform/work/worker.test.ts'
const queueLooks = 'src/platform/work/queue-looks.test.ts'
const fairClaims = 'src/platform/work/fair-claims.test.ts'
const claims = 'src/domain/buying/execution/claims.test.ts'
const runCart = 'src/domain/buying/execution/run-cart.test.ts'
const means = 'test/flows/means.test.ts'
const status = 'test/status.test.ts'
const decideResponse = 'src/domain/trade/orders/decide-response.test.ts'
const locks = 'test/races/locks.test.ts'
const orders = 'src/domain/trade/orders/orders.http.test.ts'
const createOrderResponse = 'src/domain/trade/orders/create-order-response.http.test.ts'

/** Which worker holds a row, and that an order takes one answer. */
export const leasesGuards: readonly Guard[] = [
  ...guardsOf('src/domain/buying/execution/locked-cart.ts', [leases], {
    'freeze-reaches-carts': {
      keeps: 'a freeze reaches purchases that are running',
      find: 'const frozen = control !== null &&',
      replace: 'const frozen = control === undefined &&',
      killers: [nativePurchase],
      only: 'holds a purchase where it stands',
    },
    'question-holds-its-cart': {
      keeps: 'the cart whose price is in question waits for the answer',
      find: ' && intent.reapproval.cart_id !== cartId',
      replace: '',
    },
    'lease-of-a-cart': {
      keeps: 'a worker that lost its lease on a cart writes nothing',
      find: 'id === row.id && lease_token === row.lease_token',
      replace: 'id === row.id',
    },
  }),
  ...guardsOf('src/domain/buying/execution/begin-intent.ts', [leases], {
    'lease-of-an-intent': {
      keeps: 'a worker that lost its lease on an intent writes nothing',
      find: '.filter(({ lease_token }) => lease_token === row.lease_token)',
      replace: '',
    },
  }),
  ...guardsOf('src/domain/buying/execution/begin-intent.ts', [means], {
    'lease-passes-to-what-is-served': {
      keeps:
        'a worker begins a purchase whose carts it cannot serve, and leaves the carts to workers that can',
      find: 'carts.find((cart) => deps.channels.meansFor(ctx.tenant, cart) !== null)',
      replace: 'carts[0]',
      only: 'leaves what shops sell|is begun and left',
    },
    'unreachable-fails-at-once': {
      keeps: 'a cart that no worker can ever buy does not wait for one',
      find: "      await failCarts(ctx, { loaded, control, carts: unreachable, code: 'merchant_unsupported' })\n",
      replace: '',
      killers: [leases],
    },
  }),
  ...guardsOf('src/domain/buying/execution/run-cart.ts', [runCart], {
    'missing-means-decide-nothing': {
      keeps: 'a worker without the means ends no purchase',
      find: 'if (!found) throw',
      replace: `if (!found) {
    failCart(locked, failureOf('merchant_unsupported'))
    await locked.rest(null)
    return over
  }
  if (!found) throw`,
    },
  }),
  ...guardsOf('src/cli/commands/worker.ts', [status], {
    'no-rail-no-worker': {
      keeps: 'a worker whose rail was forgotten does not start as if it were meant so',
      find: 'if (railUrl === null) {',
      replace: 'if (railUrl === undefined) {',
      only: 'does not start without a rail',
    },
  }),
  ...guardsOf('src/platform/work/kind-loop.ts', [worker], {
    'success-takes-failures-back': {
      keeps: 'a row that works again is not named as failing',
      find: 'if (row.step_failures > 0) await this.#recover(row)',
      replace: '',
    },
  }),
  ...guardsOf('src/platform/work/queue-looks.ts', [queueLooks], {
    'rows-are-found-without-a-hint': {
      keeps: 'a row whose hint was lost, or that becomes due by time, is claimed all the same',
      find: 'answers.next().value !== false',
      replace: 'answers.next().value === null',
    },
    'no-answer-is-no-rest': {
      keeps: 'work goes on where the look at the queues fails',
      find: "'work: a look at the queues failed')\n      return this.#loops",
      replace: "'work: a look at the queues failed')\n      return []",
    },
  }),
  ...guardsOf('src/platform/work/workers.sql.ts', [means], {
    'silent-workers-serve-nothing': {
      keeps: 'work of a dead worker is named when no other worker can do it',
      find: '`seen_at > clock_timestamp()',
      replace: '`seen_at is not null or seen_at > clock_timestamp()',
      only: 'silent for half a minute',
    },
  }),
  ...guardsOf('src/platform/work/lease.ts', [worker, leases], {
    'lost-lease-throws': {
      keeps: 'a fenced statement that finds no row stops its worker',
      find: 'if (row === undefined) throw new LeaseLost()\n  return row',
      replace: 'return row',
      killers: [leases],
    },
    'lease-ends-in-the-process': {
      keeps: 'a process knows that its lease is over before the database gives the row away',
      find: 'if (remainingMs() <= marginMs) throw new LeaseLost()',
      replace: '',
      killers: [leases],
    },
  }),
  ...guardsOf('src/platform/work/turns.ts', [fairClaims, worker], {
    'places-for-others': {
      keeps: 'the long steps of one tenant leave places for others',
      find: 'Math.floor((2 * free - held) / 3)',
      replace: 'free',
    },
  }),
  ...guardsOf('src/platform/work/lease.sql.ts', [worker], {
    'rows-are-claimed-by-one': {
      keeps: 'a purchase that one worker holds is left alone by others',
      find: "const isFree = '(q.lease_until is null or q.lease_until <= prokura_now())'",
      replace: "const isFree = 'true'",
      killers: [leases],
    },
    'claims-go-round': {
      keeps: 'a place that comes free goes to the next tenant, not to the one that had the last',
      find: '(account_id, mode) <= ($after_account::text, $after_mode::mode)',
      replace: '(1 = 2)',
      killers: [fairClaims],
    },
    'a-turn-each': {
      keeps: 'every tenant has a turn before one has a second',
      find: 'order by turn, ',
      replace: 'order by ',
      killers: [fairClaims],
    },
    'nobody-is-stepped-over': {
      keeps: 'a claim comes round to the tenants before the one that it began with',
      find: "next('m', 'true', 'q.account_id < m.start')",
      replace: "next('m', 'true', 'false')",
      killers: [fairClaims],
    },
    'what-came-due-is-found': {
      keeps: 'a row that is not claimed when it is due does not hold up rows that are due later',
      find: 'select row_at from come_due except select row_at from taken',
      replace: 'select row_at from come_due where false',
      killers: [fairClaims],
    },
    'shares-are-kept': {
      keeps: 'a claim gives a tenant no more places than there are for it',
      find: 'where turn <= room',
      replace: 'where true',
      killers: [fairClaims],
    },
    'claims-by-means': {
      keeps: 'a worker claims nothing that it has no means for',
      find: ".join(' and ')",
      replace: ".join(' and ').replace(/.*/s, 'true')",
      killers: [claims],
    },
    'failures-are-counted': {
      keeps: 'a step that fails again and again is seen',
      find: 'step_failures = step_failures + 1',
      replace: 'step_failures = step_failures',
    },
    'failing-since-the-first-failure': {
      keeps: 'an hour of failure is an hour, however often it was tried',
      find: 'coalesce(step_failing_since, prokura_now())',
      replace: 'prokura_now()',
    },
    'postpone-under-the-lease': {
      keeps: 'a worker that lost a row does not change when it is due',
      find: ' and lease_token = $lease_token',
      replace: ' and $lease_token::bigint is not null',
      killers: [leases],
    },
  }),
  ...guardsOf('src/domain/trade/orders/decide-response.ts', [decideResponse], {
    'one-answer-per-order': {
      keeps: 'an order takes one answer',
      find: "if (order.response_digest) return refused('response_conflict')",
      replace: '',
    },
    'answers-to-waiting-orders': {
      keeps: 'an order that was cancelled takes no answer',
      find: "order.status !== 'awaiting_confirmation' || ",
      replace: '',
    },
    'answers-in-time': {
      keeps: 'an order whose time is up takes no answer',
      find: ' || (order.expires_at ?? now) <= now',
      replace: '',
    },
  }),
  ...guardsOf('src/domain/trade/orders/orders.sql.ts', [locks], {
    'merchants-order-is-locked': {
      keeps: 'of two answers at once the second sees the first',
      find: ' for update of o`',
      replace: '`',
      only: 'order',
    },
    'buyers-order-is-locked': {
      keeps: 'a cancel sees the answer that came just before it',
      find: "orders.lock('lock_order', 'for update')",
      replace: "orders.select('lock_order')",
      only: 'order',
    },
    'order-expiry-under-its-lease': {
      keeps: 'a worker that lost an order does not expire it',
      find: 'and id = $id and lease_token = $lease_token',
      replace: 'and id = $id and $lease_token::bigint is not null',
      killers: [leases],
    },
    'order-expires-when-waiting': {
      keeps: 'an order that was answered does not expire',
      find: "\n     and status = 'awaiting_confirmation' and expires_at <= prokura_now()",
      replace: '',
      killers: [leases],
    },
  }),
  ...guardsOf('src/domain/trade/orders/cancel-order-in-tx.ts', [orders], {
    'confirmed-is-not-cancelled': {
      keeps: 'a buyer cancels no order that the merchant has confirmed',
      find: "if (status === null) return refused('order_not_cancellable')",
      replace: '',
      only: 'confirmed order cannot',
    },
  }),
  ...guardsOf('src/domain/trade/orders/mark-order-paid.ts', [orders], {
    'payment-settles-once': {
      keeps: 'the payment of an order settles one way',
      find: 'if (paymentStatus === null)\n    throw',
      replace: 'if (paymentStatus === undefined)\n    throw',
      only: 'settles once',
    },
  }),
  ...guardsOf('src/domain/trade/orders/create-order-response.ts', [createOrderResponse], {
    'answer-of-the-asked-event': {
      keeps: 'an answer names the order and the event that it answers',
      find: 'checkIds(body, order.id, eventId)',
      replace: '',
      only: 'must be true',
    },
  }),
  ...guardsOf('migrations/0091_baseline.sql', [createOrderResponse], {
    'confirmation-reference-once': {
      keeps: 'a confirmation reference names one order of a merchant',
      find: 'create unique index orders_confirmation_reference',
      replace: 'create index orders_confirmation_reference',
      only: 'confirmation reference',
    },
  }),
]
