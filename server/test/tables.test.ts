import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from './harness/app.ts'
import { openShop, placeOrder } from './harness/orders.ts'

let app: TestApp
/** Two purchases of one account, each with a cart and an order. */
let first: Ids
let second: Ids
let policyId: string
beforeAll(async () => {
  app = await startTestApp()
  const shop = await openShop(app, await app.newAccount('Seller'))
  const [one, two] = [await placeOrder(app, app.account, shop), await placeOrder(app, app.account, shop)]
  first = { intent: one.purchase_intent_id ?? '', cart: one.cart_id ?? '', order: one.id }
  second = { intent: two.purchase_intent_id ?? '', cart: two.cart_id ?? '', order: two.id }
  policyId = (await app.post('/v1/policies', { name: 'A policy' })).body.id
  await insertEffect({ attempt: 1, step: 'capture' })
  await insertHold({ attempt: 1, amount: 1000, captured: 1000, status: 'captured' })
  await insertReservation({ number: 1, state: 'reserved', actual: null })
  await run(`update purchase_intents set idempotency_key = 'once' where id = $1`, first.intent)
})
afterAll(() => app.stop())

type Ids = { intent: string; cart: string; order: string }

/** What no bug above can write: the database refuses it, by this constraint. */
const refusals: [string, string, () => Promise<unknown>][] = [
  [
    'a charge above the cap of an intent',
    'purchase_intents_actual_within_cap',
    () =>
      run('update purchase_intents set actual_amount = max_allowed_amount + 1 where id = $1', first.intent),
  ],
  [
    'a charge above the cap of a cart',
    'carts_actual_within_cap',
    () => run('update carts set actual_amount = max_allowed_amount + 1 where id = $1', first.cart),
  ],
  [
    'a purchase under way that waits for an address',
    'purchase_intents_address_awaited',
    () =>
      run(`update purchase_intents set ship_to = 'awaited', status = 'approved' where id = $1`, first.intent),
  ],
  [
    'a purchase without an address to ship to',
    'purchase_intents_address_frozen',
    () =>
      run(
        `update purchase_intents set ship_to = 'frozen', fulfillment = fulfillment || '{"address": null}' where id = $1`,
        first.intent,
      ),
  ],
  [
    'a purchase under way for nobody',
    'purchase_intents_buyer',
    () => run(`update purchase_intents set buyer = null, status = 'approved' where id = $1`, first.intent),
  ],
  [
    'a purchase under way whose retry still waits for an approval',
    'purchase_intents_retry_waits',
    () => run(`update purchase_intents set retry = '{}', status = 'approved' where id = $1`, first.intent),
  ],
  [
    'an audit entry without a key',
    'audit_entries_keyed',
    () =>
      run(
        `insert into audit_entries (account_id, mode, position, scheme, event_id, actor_type, action, target_id, request_id, digest, at,
           previous_hash, hash)
         values ($1, 'test', 1000000, 1, 'evt_forged', 'system', 'x', 'x', 'x', '', now(), '', '')`,
        app.account.accountId,
      ),
  ],
  [
    'one attempt too many',
    'carts_check',
    () => run('update carts set attempt_number = max_attempts + 1 where id = $1', first.cart),
  ],
  [
    'a capture above its authorization',
    'captured_within_authorized',
    () => insertHold({ attempt: 2, amount: 1000, captured: 1001, status: 'captured' }),
  ],
  [
    'a charge of what was voided',
    'captured_only_when_captured',
    () => insertHold({ attempt: 2, amount: 1000, captured: 1000, status: 'voided' }),
  ],
  [
    'a second authorization of an attempt',
    'authorizations_pkey',
    () => insertHold({ attempt: 1, amount: 1000, captured: 0, status: 'authorized' }),
  ],
  ['a second capture of an attempt', 'effects_pkey', () => insertEffect({ attempt: 1, step: 'capture' })],
  [
    'an effect under the key of another',
    'effects_key',
    () => insertEffect({ attempt: 2, step: 'capture', keyOf: 1 }),
  ],
  [
    'a second order of an attempt',
    'orders_attempt',
    () => run('update orders set cart_id = $1 where id = $2', first.cart, second.order),
  ],
  [
    'refunds above what was captured',
    'orders_refunds_within_captured',
    () =>
      run(
        `update orders set payment_status = 'captured', refunds_amount = total_amount + 1 where id = $1`,
        first.order,
      ),
  ],
  [
    'a refund of what was not captured',
    'orders_refunds_within_captured',
    () => run('update orders set refunds_amount = 1 where id = $1', first.order),
  ],
  [
    'a price above what was authorized',
    'orders_within_authorized',
    () => run('update orders set authorized_amount = total_amount - 1 where id = $1', first.order),
  ],
  [
    'a second open reservation of a purchase under one policy',
    'policy_reservations_open',
    () => insertReservation({ number: 2, state: 'reserved', actual: null }),
  ],
  [
    'a settlement above what was reserved',
    'policy_reservations_check',
    () => insertReservation({ number: 2, state: 'settled', actual: 1001 }),
  ],
  [
    'a second purchase under one idempotency key',
    'purchase_intents_lifelong_key',
    () => run(`update purchase_intents set idempotency_key = 'once' where id = $1`, second.intent),
  ],
]

test.each(refusals)('the database itself refuses %s', async (_, constraint, write) => {
  await expect(write()).rejects.toMatchObject({ constraint })
})

async function run(text: string, ...values: unknown[]): Promise<void> {
  await app.parts.pools.single({ name: '', text, values })
}

function insertEffect(effect: { attempt: number; step: string; keyOf?: number }): Promise<void> {
  return run(
    `insert into effects (account_id, mode, cart_id, attempt, step, key, intent_id, request_digest, request, state, sent_at, not_before)
     values ($1, 'test', $2, $3, $4, $5, $6, '', '{}', 'done', now(), now())`,
    app.account.accountId,
    first.cart,
    effect.attempt,
    effect.step,
    `${first.cart}:${effect.keyOf ?? effect.attempt}:${effect.step}`,
    first.intent,
  )
}

function insertHold(hold: {
  attempt: number
  amount: number
  captured: number
  status: string
}): Promise<void> {
  return run(
    `insert into authorizations (account_id, mode, cart_id, attempt, intent_id, kind, reference, amount, captured_amount, currency,
       status, expires_at, created_at, updated_at)
     values ($1, 'test', $2, $3, $4, 'authorization', 'at the rail', $5, $6, 'EUR', $7, now(), now(), now())`,
    app.account.accountId,
    first.cart,
    hold.attempt,
    first.intent,
    hold.amount,
    hold.captured,
    hold.status,
  )
}

function insertReservation(held: { number: number; state: string; actual: number | null }): Promise<void> {
  return run(
    `insert into policy_reservations (account_id, mode, intent_id, policy_id, number, version, amount, count, window_starts, state,
       actual_amount, created_at, ended_at)
     values ($1, 'test', $2, $3, $4, 1, 1000, 1, '{}', $5, $6, now(), case when $5 = 'reserved' then null else now() end)`,
    app.account.accountId,
    first.intent,
    policyId,
    held.number,
    held.state,
    held.actual,
  )
}
