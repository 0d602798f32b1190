import { afterAll, beforeAll, expect, test } from 'vitest'
import { invariants } from '../../src/composition.ts'
import { brokenInvariants } from '../harness/broken-invariants.ts'
import { type Buyer, type Buying, startBuying } from '../harness/buying.ts'
import { type NativeShop, openNativeShop } from '../harness/native-shops.ts'

/** A merchant's own data can be as much work as it likes: its own purchases end, and nobody else's wait. */
let buying: Buying
let buyer: Buyer
let heavy: NativeShop
let other: NativeShop

beforeAll(async () => {
  buying = await startBuying()
  buyer = await buying.newBuyer()
  heavy = await openNativeShop(buying)
  other = await openNativeShop(buying)
})
afterAll(() => buying?.stop())

async function addCard(shop: NativeShop, over: object = {}): Promise<string> {
  const card = {
    name: 'Parcel',
    fulfillment_type: 'shipping',
    currency: 'USD',
    rate: { kind: 'flat', amount: 90 },
  }
  const { status, body } = await buying.app.post(
    '/v1/rate_cards',
    { ...card, status: 'active', ...over },
    {
      key: shop.seller.keys.secret_test,
    },
  )
  expect(status, JSON.stringify(body)).toBe(201)
  return body.id
}

const failed = (code: string) => ({ status: 'failed', failure_reason: { code } })
const waitsForMerchant = ({ carts }: Awaited<ReturnType<Buying['read']>>) =>
  (carts[0]?.order ?? null) !== null

test('rate cards from before the limit on zones hold nobody up, not even their own merchant', async () => {
  const id = await addCard(heavy, { zones: [{ country: 'US' }] })
  const zones = Array.from({ length: 20 }, (_, zone) => ({
    country: 'US',
    postal_prefixes: Array.from({ length: 400 }, (_, at) => `Q${zone}X${at}`),
  }))
  await buying.sql(
    `insert into rate_cards (account_id, mode, id, name, fulfillment_type, currency, market_ids, timing, rate, zones, labels,
       location_ids, status, metadata, seq, created_at, updated_at)
     select account_id, mode, 'rc_' || lpad(i::text, 26, '0'), name, fulfillment_type, currency, market_ids, timing, rate, $2,
       labels, location_ids, status, metadata, seq, created_at, updated_at
     from rate_cards, generate_series(1, 12) as i where id = $1`,
    [id, JSON.stringify(zones)],
  )
  const [{ zones: written } = { zones: 0 }] = await buying.sql<{ zones: number }>(
    'select count(*)::int as zones from rate_card_zones where account_id = $1',
    [heavy.seller.accountId],
  )
  expect(written).toBeGreaterThan(90_000)
  const { id: bought } = await buying.buy(buyer, [{ url: heavy.url }], fees)
  const intent = await buying.until(buyer, bought, waitsForMerchant)
  expect(intent.carts[0]?.offer).toMatchObject({ fulfillment: 90 })
  await buying.audit()
})

const fees = { preferences: { fulfillment: { max_fee_amount: 2000 } } }

test('a merchant whose data takes too long to read fails its own carts as merchant_unavailable, and others buy meanwhile', async () => {
  // Any shape of data that is not bounded yet: its cards take a minute each.
  await buying.sql('alter table rate_cards rename to written_rate_cards')
  await buying.sql(
    `create view rate_cards as select * from written_rate_cards
     where account_id <> '${heavy.seller.accountId}' or (select true from pg_sleep(60))`,
  )
  const slow = await Promise.all(
    Array.from({ length: 8 }, () => buying.buy(buyer, [{ url: heavy.url }], fees)),
  )
  const quick = await buying.buy(await buying.newBuyer(), [{ url: other.url }], fees)
  await buying.until(buyer, quick.id, waitsForMerchant)
  // It was not waited for: nothing of the slow one has ended.
  const under = await Promise.all(slow.map(({ id }) => buying.read(buyer, id)))
  expect(under.filter(({ status }) => status === 'failed').length).toBeLessThan(slow.length)
  for (const { id } of slow) {
    expect(await buying.ended(buyer, id)).toMatchObject(failed('merchant_unavailable'))
    expect(await buying.moneyOf(id)).toEqual([])
  }
  const reserved = `select 1 from policy_reservations where state = 'reserved' and intent_id = any($1)`
  expect(await buying.sql(reserved, [slow.map(({ id }) => id)])).toEqual([])
  await buying.sql('drop view rate_cards')
  await buying.sql('alter table written_rate_cards rename to rate_cards')
  await buying.relayed()
  expect(await brokenInvariants(buying.app, invariants)).toEqual([])
  buying.complaints()
  const { id } = await buying.buy(buyer, [{ url: heavy.url }], fees)
  await buying.until(buyer, id, waitsForMerchant)
})

/** One try, and as if the wait after it, and what is left of the lease, were over. */
async function tryOnce(table: 'carts' | 'purchase_intents', id: string): Promise<void> {
  await buying.workWith({})
  const of = table === 'carts' ? 'intent_id' : 'id'
  await buying.sql(
    `update ${table} set lease_until = now(), due_at = prokura_now() where ${of} = $1 and due_at is not null`,
    [id],
  )
}

test('a purchase that cannot be begun ends after ten failures in a row, and its reservation is released', async () => {
  await buying.stopWorker()
  const { id } = await buying.buy(buyer, [{ url: other.url }], fees)
  await buying.sql(
    `alter table carts add constraint broken check (intent_id <> '${id}' or status <> 'in_progress') not valid`,
  )
  for (let tried = 1; tried < 10; tried++) await tryOnce('purchase_intents', id)
  const [row] = await buying.sql('select status, step_failures from purchase_intents where id = $1', [id])
  expect(row).toEqual({ status: 'approved', step_failures: 9 })
  await tryOnce('purchase_intents', id)
  expect(await buying.ended(buyer, id)).toMatchObject(failed('merchant_unavailable'))
  expect(await buying.moneyOf(id)).toEqual([])
  buying.complaints()
  await buying.sql('alter table carts drop constraint broken')
  await buying.relayed()
  expect(await brokenInvariants(buying.app, invariants)).toEqual([])
})

test('a cart whose step fails ten times in a row ends while nothing was placed or held, and never afterwards', async () => {
  const { id } = await buying.buy(buyer, [{ url: 'https://shop.example/thing' }])
  await buying.sql(
    `alter table carts add constraint broken check (intent_id <> '${id}' or offer is null) not valid`,
  )
  for (let tried = 1; tried <= 12; tried++) await tryOnce('carts', id)
  expect(await buying.ended(buyer, id)).toMatchObject(failed('merchant_unavailable'))
  expect(await buying.moneyOf(id)).toEqual([])
  await buying.sql('alter table carts drop constraint broken')

  const paid = await buying.buy(buyer, [{ url: 'https://shop.example/thing' }])
  await buying.sql(
    `alter table authorizations add constraint broken check (intent_id <> '${paid.id}') not valid`,
  )
  for (let tried = 1; tried <= 14; tried++) await tryOnce('carts', paid.id)
  const [cart] = await buying.sql<{ status: string; failures: number }>(
    'select status, step_failures as failures from carts where intent_id = $1',
    [paid.id],
  )
  expect(cart?.status).toBe('in_progress')
  expect(cart?.failures).toBeGreaterThanOrEqual(10)
  await buying.sql('alter table authorizations drop constraint broken')
  await tryOnce('carts', paid.id)
  await tryOnce('carts', paid.id)
  expect(await buying.ended(buyer, paid.id)).toMatchObject({ status: 'succeeded' })
  buying.complaints()
  await buying.relayed()
  expect(await brokenInvariants(buying.app, invariants)).toEqual([])
})
