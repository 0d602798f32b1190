import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { TestAccount } from '../harness/app.ts'
import { type Buyer, type Buying, startBuying } from '../harness/buying.ts'

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

async function confirmOrderOf(id: string): Promise<void> {
  const { carts } = await buying.until(buyer, id, (intent) => typeof intent.carts[0]?.order === 'string')
  const body = { outcome: 'confirmed', reservation_reference: 'R-1', confirmation_reference: `C-${id}` }
  const path = `/v1/merchant/orders/${carts[0]?.order}/responses`
  const { status } = await buying.app.post(path, body, { key: seller.keys.secret_test })
  expect(status).toBeLessThan(300)
}

/** Makes the lease of a purchase's cart end now, whatever its holder believes: as if that one had stood still for half a minute. */
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
  await endLease(id)
  await buying.workWith(nothing)
  expect(await buying.read(buyer, id)).toMatchObject({ status: expect.stringMatching(/approved|queued/) })
  pause.resume()
  expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded', actual_amount: 2500 })
  expect(await buying.moneyOf(id)).toEqual(['authorize 2500 approved', 'capture 2500 approved'])
  const { body } = await get(`/v1/policies/${made.body.id}`)
  expect(body.usage[0]).toMatchObject({ reserved: 0, spent: 2500 })
})
