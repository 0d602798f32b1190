import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import { type Buyer, type Buying, intentBody, startBuying } from '../harness/buying.ts'

const day = 86_400
const price = 1000

let buying: Buying
let buyer: Buyer
let sellerKey: string
let shopUrl: string

beforeAll(async () => {
  buying = await startBuying({ testClock: true })
  await installTestClock(buying.app.databaseUrl)
  buyer = await buying.newBuyer()
  const seller = await buying.app.newAccount('Seller')
  sellerKey = seller.keys.secret_test
  const domain = 'deadlines.example'
  shopUrl = `https://${domain}/thing`
  await post('/v1/merchant', { name: 'Slow Shop', domain, currency: 'USD' })
  await buying.sql('update merchants set domain_verified_at = now() where account_id = $1', [
    seller.accountId,
  ])
  const variants = [{ sku: 'T-1', price, quantity: 10 }]
  const item = await post('/v1/merchant/catalog_items', { title: 'Thing', url: shopUrl, variants })
  await post(`/v1/merchant/catalog_items/${item.id}/publish`, {})
})
afterEach(() => buying.audit())
afterAll(() => buying?.stop())

async function post(path: string, body: object, key = sellerKey) {
  const answer = await buying.app.post(path, body, { key })
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body
}

async function moneyOf(id: string): Promise<string[]> {
  const log = await buying.sandbox.processorLog()
  return log
    .filter(({ reference }) => reference?.includes(id))
    .map(({ operation, result }) => `${operation} ${result}`)
}

async function pass(seconds: number): Promise<void> {
  expect(await advanceTestClock(buying.app.databaseUrl, seconds)).toBeInstanceOf(Date)
}

function holdsOf(id: string) {
  return buying.sql('select status from authorizations where intent_id = $1', [id])
}

describe('an order that its merchant never answers', () => {
  test('is waited for a day, then expires with its authorization, and an answer comes too late', async () => {
    const { id } = await buying.buy(buyer, [{ url: shopUrl }])
    const waiting = await buying.until(buyer, id, ({ carts }) => typeof carts[0]?.order === 'string')
    const order = String(waiting.carts[0]?.order)
    const read = () => buying.app.get(`/v1/orders/${order}`, { key: buyer.key })
    await pass(day - 600)
    // A look at the cart by a worker at that time: it finds the order waiting still.
    const looked =
      'select 1 from carts where intent_id = $1 and due_at > prokura_now() and lease_until is null'
    await expect.poll(() => buying.sql(looked, [id])).toHaveLength(1)
    expect((await read()).body).toMatchObject({
      status: 'awaiting_confirmation',
      payment_status: 'authorized',
    })
    expect(await moneyOf(id)).toEqual(['authorize approved'])
    await pass(660)
    expect(await buying.ended(buyer, id)).toMatchObject({
      status: 'failed',
      actual_amount: 0,
      failure_reason: { code: 'order_confirmation_timeout' },
    })
    await buying.settled()
    expect((await read()).body).toMatchObject({ status: 'expired', payment_status: 'voided' })
    const late = await buying.app.post(
      `/v1/merchant/orders/${order}/responses`,
      { outcome: 'confirmed', reservation_reference: 'R-1', confirmation_reference: 'C-late' },
      { key: sellerKey },
    )
    expect([late.status, late.body.detail.code]).toEqual([409, 'order_not_awaiting'])
    expect(await moneyOf(id)).toEqual(['authorize approved', 'void voided'])
    expect((await buying.read(buyer, id)).carts[0]).toMatchObject({ status: 'failed', can_retry: true })
  })
})

describe('an authorization that a freeze outlasts', () => {
  const account = { target: { type: 'account' } }

  async function frozenWithMoneyHeld(): Promise<string> {
    const paused = buying.faults.pause('authorize.after')
    const { id } = await buying.buy(buyer, [{ url: shopUrl }])
    await paused.reached
    await post('/v1/controls/freeze', account, buyer.key)
    paused.resume()
    const waiting = 'select 1 from carts where intent_id = $1 and due_at is not null and lease_until is null'
    await expect.poll(() => buying.sql(waiting, [id])).toHaveLength(1)
    expect(await holdsOf(id)).toEqual([{ status: 'authorized' }])
    return id
  }

  test.each([
    ['an hour before its end', 7 * day - 3000, 'voided'],
    ['after its end', 7 * day + 60, 'expired'],
  ])('is released %s, and no order is placed for it afterwards', async (_, seconds, status) => {
    const id = await frozenWithMoneyHeld()
    await pass(seconds)
    expect(await buying.ended(buyer, id)).toMatchObject({
      status: 'failed',
      failure_reason: { code: 'payment_declined', retry_policy: 'same' },
      carts: [{ order: null }],
    })
    await buying.settled()
    expect(await holdsOf(id)).toEqual([{ status }])
    await post('/v1/controls/unfreeze', account, buyer.key)
    expect(await moneyOf(id)).toEqual(['authorize approved', 'void voided'])
    expect((await buying.read(buyer, id)).carts[0]).toMatchObject({ can_retry: true })
  })

  test('is spent while it lasts', async () => {
    const id = await frozenWithMoneyHeld()
    await pass(6 * day)
    await post('/v1/controls/unfreeze', account, buyer.key)
    await buying.until(buyer, id, ({ carts }) => typeof carts[0]?.order === 'string')
    expect(await moneyOf(id)).toEqual(['authorize approved'])
    await post(`/v1/purchase_intents/${id}/cancel`, {}, buyer.key)
    await buying.settled()
  })
})

describe('live mode without a payment rail', () => {
  const unattended = {
    name: 'All',
    currency: 'USD',
    limits: { per_transaction_max: 100_000 },
    approval: { mode: 'never' },
  }

  /** The same buyer in live mode, card and all, so that nothing but the missing rail is in the way. */
  async function inLiveMode(buyer: Buyer): Promise<Buyer> {
    const key = buyer.account.keys.secret_live
    const person = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'US' }
    const { id: profileId } = await post('/v1/profiles', person, key)
    await buying.sql(
      `insert into payment_methods select (jsonb_populate_record(m, jsonb_build_object('mode', 'live', 'profile_id', $1::text))).*
       from payment_methods m where m.profile_id = $2`,
      [profileId, buyer.profileId],
    )
    return { account: buyer.account, profileId, key }
  }

  test('queues nothing that test mode would, and approves nothing', async () => {
    const ready = await buying.newBuyer()
    const live = await inLiveMode(ready)
    const items = [{ url: 'https://shop.example/thing' }]
    for (const { key, profileId } of [ready, live]) {
      await post('/v1/policies', { ...unattended, scope: { profile_ids: [profileId] } }, key)
    }
    const bought = await post('/v1/purchase_intents', intentBody(ready, items, {}), ready.key)
    expect(bought).toMatchObject({ mode: 'test', status: 'queued' })
    expect(await buying.ended(ready, bought.id)).toMatchObject({ status: 'succeeded' })
    const created = await post('/v1/purchase_intents', intentBody(live, items, {}), live.key)
    expect(created).toMatchObject({ mode: 'live', status: 'awaiting_approval' })
    const approved = await buying.app.post(
      `/v1/purchase_intents/${created.id}/approve`,
      { approve: true },
      { key: live.key },
    )
    expect([approved.status, approved.body.detail.code]).toEqual([409, 'live_payments_not_configured'])
    expect(await buying.read(live, created.id)).toMatchObject({ status: 'awaiting_approval', carts: [] })
    expect(await moneyOf(created.id)).toEqual([])
  })
})
