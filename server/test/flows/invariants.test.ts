import { Client } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { invariants } from '../../src/composition.ts'
import { verdictAfter, verdictOf } from '../harness/broken-invariants.ts'
import { type Buyer, type Buying, type CartBody, startBuying } from '../harness/buying.ts'
import type { TestShop } from '../harness/orders.ts'
import { offerOf, placeQuote } from '../harness/quotes.ts'

/** Every invariant of `prokura audit` on purchases as they are made, and on what must never become of them. */
let buying: Buying
let database: Client

beforeAll(async () => {
  buying = await startBuying()
  const buyer = await buying.newBuyer()
  const policy = {
    name: 'Ever',
    currency: 'USD',
    scope: { profile_ids: [buyer.profileId] },
    limits: { intervals: [{ interval: 'all_time', max_amount: 100_000 }] },
    approval: { mode: 'always' },
  }
  const headers = { 'idempotency-key': 'policy' }
  expect((await buying.app.post('/v1/policies', policy, { headers })).status).toBe(201)
  const url = await openShop()
  const confirmed = await buying.buy(buyer, [{ url }, { url: 'https://shop.example/thing' }])
  await confirm(buyer, confirmed.id)
  expect(await buying.ended(buyer, confirmed.id)).toMatchObject({ status: 'succeeded' })
  await sendAndRefund(await orderOf(buyer, confirmed.id))
  // Stays open: its merchant does not answer.
  const waiting = await buying.buy(buyer, [{ url }])
  await orderOf(buyer, waiting.id)
  await quoteAndOrder(buyer)
  database = new Client({ connectionString: buying.app.databaseUrl })
  await database.connect()
})
afterAll(async () => {
  await database?.end()
  await buying?.stop()
})

async function openShop(): Promise<string> {
  const { newAccount, post } = buying.app
  const seller = await newAccount('Seller')
  const key = seller.keys.secret_test
  const url = 'https://native.example/thing'
  await post('/v1/merchant', { name: 'Native Shop', domain: 'native.example', currency: 'USD' }, { key })
  await buying.sql('update merchants set domain_verified_at = now() where account_id = $1', [
    seller.accountId,
  ])
  const variants = [{ sku: 'T-1', price: 1000, quantity: 10 }]
  const item = await post('/v1/merchant/catalog_items', { title: 'Thing', url, variants }, { key })
  expect((await post(`/v1/merchant/catalog_items/${item.body.id}/publish`, undefined, { key })).status).toBe(
    200,
  )
  const routing = { include: [{ country: 'US' }] }
  const market = { code: 'us', currency: 'USD', default_locale: 'en', routing }
  const { body } = await post('/v1/markets', market, { key })
  const rate = { kind: 'flat', amount: 500 }
  const card = { name: 'Parcel', fulfillment_type: 'shipping', currency: 'USD', market_ids: [body.id], rate }
  expect((await post('/v1/rate_cards', card, { key })).status).toBe(201)
  const arms = [{ kind: 'percent', value: 1000, ttl_minutes: 30 }]
  const promotion = await post('/v1/promotions', { name: 'Tenth', currency: 'USD', arms }, { key })
  expect((await post(`/v1/promotions/${promotion.body.id}/publish`, undefined, { key })).status).toBe(200)
  confirmWith = key
  shop = { seller, key, itemId: item.body.id, variantId: item.body.variants[0].id }
  return url
}

let confirmWith = ''
let shop: TestShop | undefined

/** One quote that stands, and one that a purchase has. */
async function quoteAndOrder(buyer: Buyer): Promise<void> {
  if (!shop) throw new Error('no shop is open')
  await placeQuote(buying.app, buying.app.account, { shop, note: 'Standing' })
  const id = await placeQuote(buying.app, buying.app.account, { shop, note: 'Ordered', currency: 'USD' })
  const taken = { offer_id: offerOf(id), profile_id: buyer.profileId }
  const accepted = await buying.app.post(`/v1/quotes/${id}/accept`, taken)
  expect(accepted.status, JSON.stringify(accepted.body)).toBe(201)
}

async function orderOf(buyer: Buyer, id: string): Promise<string> {
  const isOrdered = ({ order }: CartBody) => typeof order === 'string'
  const { carts } = await buying.until(buyer, id, (intent) => intent.carts.some(isOrdered))
  return String(carts.find(isOrdered)?.order)
}

async function confirm(buyer: Buyer, id: string): Promise<void> {
  const order = await orderOf(buyer, id)
  const body = { outcome: 'confirmed', reservation_reference: 'R-1', confirmation_reference: 'C-1' }
  expect(
    (await buying.app.post(`/v1/merchant/orders/${order}/responses`, body, { key: confirmWith })).status,
  ).toBeLessThan(300)
}

/** One unit is on its way, and part of its price went back. */
async function sendAndRefund(order: string): Promise<void> {
  const path = `/v1/merchant/orders/${order}`
  const sent = await buying.app.post(`${path}/fulfillments`, { tracking_number: '1Z' }, { key: confirmWith })
  expect(sent.status).toBe(201)
  const refunded = await buying.app.post(`${path}/refunds`, { amount: 100 }, { key: confirmWith })
  expect(refunded.body).toMatchObject({ payment_status: 'partially_refunded' })
}

/** `without` names what the schema itself would stop. */
type Damage = { id: string; damage: string; without?: [table: string, constraint: string] }

const succeeded = `(select id from purchase_intents where status = 'succeeded' limit 1)`
const boughtCart = `(select id from carts where status = 'succeeded' limit 1)`
const forged = (type: string, after: string) =>
  `insert into event_rows (account_id, mode, id, type, aggregate_id, sequence, cart_id, actor_type, actor_id, request_id, object, created_at)
   select account_id, mode, 'evt_forged', '${type}', aggregate_id, sequence + 1000, cart_id, actor_type, actor_id, request_id, object, created_at
   from events where ${after} order by sequence desc limit 1`

const damages: Damage[] = [
  { id: 'S2', damage: `delete from events where type = 'purchase_intent.started'` },
  {
    id: 'W2',
    damage: `insert into outbox (shard, lane, account_id, mode, aggregate_id, first_sequence, last_sequence, is_delivered, is_followed, created_at)
      select 0, 0, account_id, mode, aggregate_id, 900, 900, false, false, now() from events limit 1`,
  },
  {
    id: 'W2-followers',
    damage: `insert into follower_backlog (shard, follower, event_id, account_id, mode, aggregate_id, sequence, behind_since, due_at)
      select 0, 'deliveries', id, account_id, mode, aggregate_id, sequence, now() - interval '61 seconds', now() from events limit 1`,
  },
  { id: 'W5', damage: `update idempotency_keys set event_id = 'evt_gone' where event_id is not null` },
  { id: 'W6-entries', damage: 'delete from audit_batches' },
  {
    id: 'M1',
    damage: 'update carts set actual_amount = max_allowed_amount + 1',
    without: ['carts', 'carts_actual_within_cap'],
  },
  {
    id: 'M2-carts',
    damage: `update purchase_intents set actual_amount = actual_amount - 1 where status = 'succeeded'`,
  },
  {
    id: 'M2',
    damage: `update authorizations set captured_amount = captured_amount - 1 where status = 'captured'`,
  },
  {
    id: 'M3',
    damage: `insert into authorizations select account_id, mode, cart_id, 2, intent_id, kind, reference, amount, captured_amount,
        capture_reference, currency, status, expires_at, created_at, updated_at
      from authorizations where status = 'captured'`,
  },
  { id: 'M4', damage: `update purchase_intents set approved_at = null where status = 'succeeded'` },
  {
    id: 'M5',
    damage: `${forged('purchase_intent.cancelled', `type = 'purchase_intent.created' and aggregate_id = ${succeeded}`)};
      update events set sequence = sequence + 2000 where type = 'cart.succeeded'`,
  },
  {
    id: 'M6',
    damage: `update carts set due_at = null; update authorizations set status = 'authorized', captured_amount = 0`,
  },
  {
    id: 'M6-failing',
    damage: `update carts set due_at = now(), step_failing_since = now() - interval '61 minutes';
      update authorizations set status = 'authorized', captured_amount = 0`,
  },
  {
    id: 'M6-named',
    damage: `update authorizations set rail = 'other' where cart_id = ${boughtCart}`,
  },
  {
    id: 'M6-named',
    damage: `update effects set rail = 'other' where step in ('authorize', 'issue_credential') and cart_id = ${boughtCart}`,
  },
  { id: 'M7', damage: `update policy_windows set spent = spent + 1 where interval = 'all_time'` },
  {
    id: 'M8',
    damage: `update policy_reservations set state = 'reserved', ended_at = null, actual_amount = null where state = 'settled'`,
  },
  { id: 'M9', damage: `update carts set currency = 'EUR'` },
  { id: 'M10', damage: `update carts set order_row_id = 'ord_gone' where order_row_id is not null` },
  { id: 'M10', damage: `update purchase_intents set profile_id = 'prof_gone' where id = ${succeeded}` },
  { id: 'M10', damage: `update purchase_intents set payment_method_id = 'pm_gone' where id = ${succeeded}` },
  { id: 'M10', damage: `update purchase_intents set policy_id = 'pol_gone' where id = ${succeeded}` },
  { id: 'M10', damage: 'delete from accounts where id in (select account_id from purchase_intents)' },
  { id: 'M10', damage: `update orders set cart_id = cart_id || '_gone' where cart_id is not null` },
  {
    id: 'M10',
    damage: `update effects set cart_id = 'cart_gone' where step = 'place' and cart_id = ${boughtCart}`,
    without: ['effects', 'effects_key'],
  },
  { id: 'M10', damage: `update authorizations set cart_id = 'cart_gone' where cart_id = ${boughtCart}` },
  { id: 'M11', damage: 'update promotion_counters set uses = uses + 1' },
  { id: 'M12', damage: 'update promotion_redemptions set discount_amount = discount_amount + 1' },
  { id: 'M12', damage: `update promotion_redemptions set state = 'released' where order_id is not null` },
  {
    id: 'S1',
    damage: `update event_rows set object = jsonb_set(unpack_text(object_bytes)::jsonb, '{status}', '"declined"')::text, object_bytes = null
      where type = 'purchase_intent.started'`,
  },
  { id: 'S2-purchases', damage: 'update purchase_intents set seq = seq + 1' },
  {
    id: 'S2-purchases',
    damage: `update events set type = 'cart.succeeded' where type = 'purchase_intent.succeeded'`,
  },
  { id: 'S3', damage: 'update purchase_intents set started_at = null' },
  {
    id: 'S4',
    damage: `update event_rows set object = jsonb_set(unpack_text(object_bytes)::jsonb, '{carts,0,can_cancel}', 'true')::text,
      object_bytes = null where aggregate_id = ${succeeded} and object_at is null`,
  },
  { id: 'S5', damage: `update carts set merchant_account_id = null, merchant_domain = 'one.example'` },
  { id: 'S7', damage: forged('order.rejected', `type = 'order.confirmed'`) },
  {
    id: 'E2-orders',
    damage: `update orders set responded_by_id = 'key_other' where responded_at is not null`,
  },
  {
    id: 'E7-orders',
    damage: 'update orders set expires_at = responded_at where responded_at is not null',
  },
  {
    id: 'M5-orders',
    damage: `update orders set payment_status = 'captured' where status = 'awaiting_confirmation'`,
  },
  {
    id: 'M1-orders',
    damage: 'update orders set authorized_amount = total_amount - 1',
    without: ['orders', 'orders_within_authorized'],
  },
  {
    id: 'M1-orders',
    damage: `update orders set adjustments = '[{"type": "reprice", "amount": 1, "reason": null}]'`,
  },
  {
    id: 'M2-captures',
    damage: `update orders set total_amount = total_amount + 1, subtotal_amount = subtotal_amount + 1`,
  },
  { id: 'M2-refunds', damage: `update order_refunds set status = 'failed'` },
  { id: 'M2-refunds', damage: 'update order_refunds set amount = amount + 1' },
  { id: 'M2-refunds', damage: 'update orders set refunds_amount = 0 where refunds_amount > 0' },
  { id: 'M2-refunds', damage: `update orders set adjustments = '[]'` },
  { id: 'M2-refunds', damage: `update orders set refunds = '[]'` },
  {
    id: 'M2-refunds',
    damage: `update orders set payment_status = 'refunded' where payment_status = 'partially_refunded'`,
  },
  {
    id: 'M2-refunded',
    damage: 'update carts set refunded_amount = refunded_amount - 1 where refunded_amount > 0',
  },
  { id: 'M2-refunded', damage: `update order_refunds set status = 'failed'` },
  { id: 'W3-units', damage: 'update orders set fulfillments = fulfillments || fulfillments' },
  {
    id: 'W2-refunds',
    damage: `update order_refunds set status = 'pending', settled_at = null, due_at = now() - interval '61 seconds'`,
  },
  { id: 'M10-orders', damage: `update catalog_items set mode = 'live'` },
  { id: 'M10-orders', damage: 'delete from accounts where id in (select account_id from orders)' },
  {
    id: 'M10-orders',
    damage: `update orders set merchant_account_id = 'acct_gone', line_items = '[]' where status = 'awaiting_confirmation'`,
  },
  {
    id: 'M10-orders',
    damage: `update orders set purchase_intent_id = 'pi_gone' where status = 'awaiting_confirmation'`,
  },
  { id: 'E2-quotes', damage: `update quote_answers set actor_id = 'key_other'` },
  { id: 'E1-quotes', damage: `delete from deliveries where event_type = 'quote.requested'` },
  {
    id: 'M11-quotes',
    damage: `update purchase_intents set max_allowed_amount = max_allowed_amount + 1
      where id in (select purchase_intent_id from quotes)`,
  },
  { id: 'M10-quotes', damage: `update catalog_items set mode = 'live'` },
  {
    id: 'W2-quotes',
    damage: `update quotes set due_at = now() - interval '61 seconds' where status = 'quoted'`,
  },
  { id: 'W2-purchases', damage: `update carts set due_at = null where status = 'in_progress'` },
  {
    id: 'W2-overdue',
    damage: `update carts set due_at = now() - interval '61 seconds', lease_until = null where status = 'in_progress'`,
  },
  {
    id: 'W2-failing',
    damage: `update orders set due_at = now() + interval '15 minutes', step_failing_since = now() - interval '61 minutes'
      where due_at is not null`,
  },
  {
    id: 'W7',
    damage: `update effects set state = 'unknown', sent_at = now() - interval '61 minutes' where step = 'capture'`,
  },
  {
    id: 'W7',
    damage: `update order_refunds set status = 'pending', settled_at = null, due_at = now(), sent_at = now() - interval '61 minutes'`,
  },
  {
    id: 'W2-orders',
    damage: `update orders set expires_at = now() - interval '61 seconds' where status = 'awaiting_confirmation'`,
  },
  {
    id: 'W3',
    damage: `insert into effects select account_id, mode, cart_id, 2, step, replace(key, ':1:', ':2:'), intent_id, request_digest, request, state,
        tries, may_have_left, asked, asked_at, heard, answer, sent_at, settled_at, not_before
      from effects where step = 'place' and state = 'done'`,
  },
  {
    id: 'D1',
    damage: `update catalog_items set updated_at = now() - interval '61 seconds'; delete from listings`,
  },
  { id: 'D1', damage: `update catalog_items set status = 'archived' where status = 'published'` },
  { id: 'F1', damage: `update markets set status = 'archived', archived_at = now()` },
  { id: 'F1', damage: 'update market_regions set priority = priority + 1' },
  { id: 'F2', damage: `update rate_cards set market_ids = '{mkt_of_another}'` },
  { id: 'F2', damage: `update rate_cards set location_ids = '{loc_of_another}'` },
  {
    id: 'W3-orders',
    damage: `update orders set cart_id = ${boughtCart}, attempt = attempt + (status = 'awaiting_confirmation')::int`,
  },
]

/** Shown elsewhere, beside what they are about. */
const elsewhere = [
  'E1',
  'E2',
  'E2-checks',
  'E3',
  'E3-confirmed',
  'E3-queued',
  'E3-strangers',
  'E4',
  'E4-audience',
  'E4-deliveries',
  'E5',
  'M14',
  'M15',
  'M2-behind',
  'M2-strangers',
  'M5-sales',
  'M6-behind',
  'M7-live',
  'S2-checks',
  'W2-checks',
  'W2-domains',
  'W2-movements',
  'W2-sales',
  'W3-strangers',
  'W6',
]

test('every invariant has an id of its own and looks at something here, and all of them hold', async () => {
  expect(new Set(invariants.map(({ id }) => id)).size).toBe(invariants.length)
  await buying.audit()
  const blind: string[] = []
  for (const { id } of damages) if ((await verdictOf(database, id)).checked === 0) blind.push(id)
  // What waits for the relay is gone in a moment, and nothing waits for what follows.
  expect(blind.filter((id) => id !== 'W2' && id !== 'W2-followers')).toEqual([])
})

test('every invariant is shown to notice', () => {
  expect([...new Set([...damages.map(({ id }) => id), ...elsewhere])].sort()).toEqual(
    invariants.map(({ id }) => id).sort(),
  )
})

test.each(damages)('$id notices when it is broken', async ({ id, damage, without }) => {
  // Foreign keys and triggers are the first wall; this is about the second one.
  expect((await verdictAfter(database, damage, { id, without })).violations).not.toEqual([])
})
