import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { readTrouble, tellTrouble } from '../../src/cli/operator/trouble.ts'
import { watchTrouble } from '../../src/cli/operator/watch-trouble.ts'
import { createLog } from '../../src/platform/logs/logs.ts'
import type { TestAccount } from '../harness/app.ts'
import { type Buyer, type Buying, type CartBody, startBuying } from '../harness/buying.ts'

/** A worker with less than its neighbours, or less than a purchase needs, leaves that purchase to those who can. */
let buying: Buying
let buyer: Buyer
let seller: TestAccount

beforeAll(async () => {
  buying = await startBuying()
  buyer = await buying.newBuyer()
  seller = await buying.app.newAccount('Seller')
  await openShop()
})
afterEach(() => buying.audit())
afterAll(() => buying?.stop())

const shopUrl = 'https://shop.example/thing'
const nativeUrl = 'https://native.example/thing'
const nothing = { railUrl: null, sandboxUrl: null }

async function openShop(): Promise<void> {
  const { post } = buying.app
  const key = seller.keys.secret_test
  await post('/v1/merchant', { name: 'Native Shop', domain: 'native.example', currency: 'USD' }, { key })
  await buying.sql('update merchants set domain_verified_at = now() where account_id = $1', [
    seller.accountId,
  ])
  const item = { title: 'Thing', url: nativeUrl, variants: [{ sku: 'T-1', price: 2500, quantity: 100 }] }
  const { body } = await post('/v1/merchant/catalog_items', item, { key })
  expect((await post(`/v1/merchant/catalog_items/${body.id}/publish`, undefined, { key })).status).toBe(200)
}

async function confirmOrderOf(id: string, by: Buyer = buyer): Promise<void> {
  const isOrdered = ({ order }: CartBody) => typeof order === 'string'
  const { carts } = await buying.until(by, id, (intent) => intent.carts.some(isOrdered))
  const body = { outcome: 'confirmed', reservation_reference: 'R-1', confirmation_reference: `C-${id}` }
  const path = `/v1/merchant/orders/${carts.find(isOrdered)?.order}/responses`
  const { status } = await buying.app.post(path, body, { key: seller.keys.secret_test })
  expect(status).toBeLessThan(300)
}

/** Ends the lease of a purchase's cart now, without its holder: as if that worker had stood still for half a minute. */
async function endLease(id: string): Promise<void> {
  await buying.sql('update carts set lease_until = now(), due_at = now() where intent_id = $1', [id])
}

test('a worker without a rail decides nothing about a purchase whose capture is under way, and the cap holds', async () => {
  const { post, get } = buying.app
  const policy = {
    name: '35 a day',
    currency: 'USD',
    scope: { profile_ids: [buyer.profileId] },
    limits: { intervals: [{ interval: 'day', max_amount: 3500 }] },
    approval: { mode: 'never' },
  }
  const made = await post('/v1/policies', policy, { headers: { 'idempotency-key': 'a-day' } })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const pause = buying.faults.pause('capture.after')
  const { id } = await buying.buy(buyer, [{ url: nativeUrl, amount: 2500 }])
  await confirmOrderOf(id)
  await pause.reached
  // The worker that stands still takes nothing more, so that only the other one could take what is due again.
  const stopped = buying.stopWorker()
  await endLease(id)
  await buying.workWith(nothing)
  expect(await buying.read(buyer, id)).toMatchObject({ status: expect.stringMatching(/approved|queued/) })
  pause.resume()
  await stopped
  const worker = buying.startWorker()
  expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded', actual_amount: 2500 })
  await worker.stop()
  expect(await buying.moneyOf(id)).toEqual(['authorize 2500 approved', 'capture 2500 approved'])
  const { body } = await get(`/v1/policies/${made.body.id}`)
  expect(body.usage[0]).toMatchObject({ reserved: 0, spent: 2500 })
  expect((await post(`/v1/policies/${made.body.id}/archive`)).status).toBe(200)
})

test('a worker without shops buys at merchants of ours, and leaves what shops sell to other workers', async () => {
  const other = await buying.newBuyer()
  const { id } = await buying.buy(other, [{ url: shopUrl }, { url: nativeUrl, amount: 2500 }])
  const ran = await buying.workWith({ sandboxUrl: null })
  expect(ran).toMatchObject({ intents: 1 })
  // The intent's lease went to the cart that this worker can serve; the other one is due and free.
  expect(await cartsOf(id)).toEqual([
    { channel: 'simulated', status: 'created', is_due: true, is_leased: false },
    { channel: 'native', status: 'in_progress', is_due: false, is_leased: false },
  ])
  await confirmOrderOf(id, other)
  const worker = buying.startWorker()
  expect(await buying.ended(other, id)).toMatchObject({ status: 'succeeded' })
  await worker.stop()
  expect((await buying.moneyOf(id)).filter((line) => line.startsWith('capture'))).toHaveLength(2)
})

test('a purchase of which this worker can serve nothing is begun and left, not failed', async () => {
  const { id } = await begunWithoutShops()
  expect(await cartsOf(id)).toEqual([
    { channel: 'simulated', status: 'created', is_due: true, is_leased: false },
  ])
  expect(await buying.read(buyer, id)).toMatchObject({ status: 'approved' })
  const worker = buying.startWorker()
  expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded' })
  await worker.stop()
})

test.each(['ucp', 'browser', 'a way of tomorrow'])(
  'a cart that a newer version buys by way of %s is left alone, with and without a hold',
  async (channel) => {
    const { id } = await begunWithoutShops()
    await buying.sql('alter domain buying_channel drop constraint if exists buying_channel_check')
    await buying.sql('update carts set channel = $2 where intent_id = $1', [id, channel])
    expect(await buying.workWith({})).toMatchObject({ carts: 0 })
    expect(await cartsOf(id)).toEqual([{ channel, status: 'created', is_due: true, is_leased: false }])
    await buying.sql(`update carts set channel = 'simulated' where intent_id = $1`, [id])
    await buying.workWith({})
    expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded' })
  },
)

test('an approval that came too late ends without any means', async () => {
  const items = [{ url: shopUrl, quantity: 1, expected_amount: 1000, expected_currency: 'USD' }]
  const body = { profile_id: (await buying.newBuyer()).profileId, items }
  const created = await buying.app.post('/v1/purchase_intents', body)
  expect(created.body.status).toBe('awaiting_approval')
  await buying.sql(
    `update purchase_intents set due_at = now(), approval_expires_at = now() - interval '1 second' where id = $1`,
    [created.body.id],
  )
  expect(await buying.workWith(nothing)).toMatchObject({ intents: 1, carts: 0 })
  expect(await buying.read(buyer, created.body.id)).toMatchObject({ status: 'declined' })
})

test('a refund waits for a worker with a rail', async () => {
  const { id } = await buying.buy(buyer, [{ url: nativeUrl, amount: 2500 }])
  const worker = buying.startWorker()
  await confirmOrderOf(id)
  const { carts } = await buying.ended(buyer, id)
  await worker.stop()
  const asked = buying.app.post(
    `/v1/merchant/orders/${carts[0]?.order}/refunds`,
    { amount: 100 },
    { key: seller.keys.secret_test },
  )
  await expect.poll(async () => (await refundsOf(id)).length).toBe(1)
  expect(await buying.workWith(nothing)).toMatchObject({ refunds: 0 })
  expect(await refundsOf(id)).toEqual([{ status: 'pending' }])
  expect(await buying.workWith({})).toMatchObject({ refunds: 1 })
  expect((await asked).status).toBe(201)
})

test('work that no live worker has the means for is named after a minute, and only then', async () => {
  const { id } = await begunWithoutShops()
  const poor = buying.startWorker({ sandboxUrl: null })
  const unserved = async () => (await readTrouble(buying.app.parts.pools)).unserved
  await expect.poll(workersAlive).toBe(1)
  expect(await unserved()).toEqual([])
  await buying.sql(`update carts set due_at = now() - interval '61 seconds' where intent_id = $1`, [id])
  expect(await unserved()).toEqual([{ kind: 'carts', mode: 'test', channel: 'simulated', rows: 1 }])
  // What waits, as for the end of a freeze, is due later.
  await buying.sql(`update carts set due_at = now() + interval '5 seconds' where intent_id = $1`, [id])
  expect(await unserved()).toEqual([])
  await buying.sql(`update carts set due_at = now() - interval '61 seconds' where intent_id = $1`, [id])
  const rich = buying.startWorker()
  await expect.poll(unserved).toEqual([])
  expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded' })
  await Promise.all([poor.stop(), rich.stop()])
  expect(await workersAlive()).toBe(0)
})

test('a worker that has been silent for half a minute serves nothing any more, and the API tells of it once', async () => {
  const { id } = await begunWithoutShops()
  await buying.sql(`update carts set due_at = now() - interval '61 seconds' where intent_id = $1`, [id])
  await buying.sql(
    `insert into workers (id, serves, started_at, seen_at)
     values ('worker_gone', array['carts test simulated'], now(), now() - interval '29 seconds')`,
  )
  const lines: Record<string, unknown>[] = []
  const log = createLog({
    level: 'error',
    role: 'api',
    destination: { write: (line: string) => void lines.push(JSON.parse(line)) },
  })
  const watch = watchTrouble({ pools: buying.app.parts.pools, log }, null)
  await watch.look()
  expect(lines).toEqual([])
  await buying.sql(`update workers set seen_at = now() - interval '31 seconds' where id = 'worker_gone'`)
  await watch.look()
  await watch.look()
  expect(lines).toMatchObject([
    { level: 'error', kind: 'carts', mode: 'test', channel: 'simulated', rows: 1 },
  ])
  const [told] = tellTrouble(await readTrouble(buying.app.parts.pools))
  expect(told?.line).toBe(
    'Unserved: carts (test simulated): 1 due, and no live worker has the means to run them.',
  )
  await watch.stop()
  await buying.sql(`delete from workers where id = 'worker_gone'`)
  await buying.workWith({})
  expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded' })
})

/** A purchase that a worker without shops has begun, and that nobody works on. */
async function begunWithoutShops(): Promise<{ id: string }> {
  await buying.workWith({})
  const { id } = await buying.buy(buyer, [{ url: shopUrl }])
  await buying.workWith({ sandboxUrl: null })
  return { id }
}

function cartsOf(id: string) {
  return buying.sql(
    `select channel, status, due_at <= now() as is_due, coalesce(lease_until > now(), false) as is_leased
     from carts where intent_id = $1 order by position`,
    [id],
  )
}

function refundsOf(id: string) {
  return buying.sql(
    `select r.status from order_refunds r join orders o on o.id = r.order_id where o.purchase_intent_id = $1`,
    [id],
  )
}

async function workersAlive(): Promise<number> {
  return (await buying.sql(`select 1 from workers where seen_at > now() - interval '30 seconds'`)).length
}
