import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { TestAccount } from '../harness/app.ts'
import { type Buyer, type Buying, startBuying } from '../harness/buying.ts'
import { newDestination, type Receiver, startReceiver } from '../harness/deliveries.ts'

/* Accounts of one machine trade with each other in test mode, over the interface alone: nobody proves a name that nobody can own. */

let buying: Buying
let buyer: Buyer
let receiver: Receiver
beforeAll(async () => {
  buying = await startBuying({ sharesTestDomains: true })
  buyer = await buying.newBuyer()
  receiver = await startReceiver()
})
afterEach(() => buying.audit())
afterAll(async () => {
  await receiver?.stop()
  await buying?.stop()
})

const post = (account: TestAccount, path: string, body: Record<string, unknown>) =>
  buying.app.post(path, body, { key: account.keys.secret_test })

/** A merchant that has said who it is, sells one thing and hears of its orders. */
async function openShop(
  domain: string,
): Promise<{ seller: TestAccount; url: string; destinationId: string }> {
  const seller = await buying.app.newAccount('Seller')
  const key = seller.keys.secret_test
  const record = { name: 'Lamps', domain, mcc: '5719', country: 'US', currency: 'USD' }
  expect((await post(seller, '/v1/merchant', record)).status).toBe(200)
  const url = `https://${domain}/lamp`
  const item = await post(seller, '/v1/merchant/catalog_items', {
    title: 'Lamp',
    url,
    variants: [{ sku: 'LAMP', price: 1000, quantity: 10 }],
  })
  expect((await post(seller, `/v1/merchant/catalog_items/${item.body.id}/publish`, {})).status).toBe(200)
  const event_types = ['order.requested', 'order.confirmed', 'order.rejected']
  const destination = await newDestination(buying.app, receiver.url, { event_types }, key)
  return { seller, url, destinationId: destination.id }
}

test('a URL of another account goes to that account, which hears of the order and is paid once', async () => {
  const shop = await openShop('lamps-of-two.example')
  const policy = {
    name: 'Lamps alone',
    currency: 'USD',
    merchants: { allow: ['lamps-of-two.example'] },
    mcc: { allow: ['5719'] },
    countries: { allow: ['US'], block: ['DE'] },
    limits: { per_transaction_max: 5000 },
    approval: { mode: 'never' },
    scope: { profile_ids: [buyer.profileId] },
  }
  expect((await post(buyer.account, '/v1/policies', policy)).status).toBe(201)
  const made = await buying.buy(buyer, [{ url: shop.url }], {
    preferences: { fulfillment: { method: 'pickup' } },
  })
  expect(made.status).toBe('queued')
  const waiting = await buying.until(buyer, made.id, ({ carts }) => Boolean(carts[0]?.order))
  expect(waiting.carts).toMatchObject([{ channel: 'native', merchant_domain: 'lamps-of-two.example' }])
  const order = String(waiting.carts[0]?.order)
  await expect
    .poll(() =>
      receiver.received.map(({ headers, body }) => [
        headers['service-destination-id'],
        JSON.parse(body).type,
        JSON.parse(body).data.order?.id,
      ]),
    )
    .toContainEqual([shop.destinationId, 'order.requested', order])
  const answer = { outcome: 'confirmed', confirmation_reference: 'C-1' }
  expect((await post(shop.seller, `/v1/merchant/orders/${order}/responses`, answer)).status).toBe(200)
  expect((await buying.ended(buyer, made.id)).status).toBe('succeeded')
  expect(await buying.moneyOf(made.id)).toEqual(['authorize 1000 approved', 'capture 1000 approved'])

  // Nobody else has the domain, and its buyers go nowhere else.
  const third = await buying.app.newAccount('Third')
  const refused = await post(third, '/v1/merchant', { domain: 'lamps-of-two.example' })
  expect([refused.status, refused.body.detail.code]).toEqual([409, 'domain_taken'])
})

test('a purchase that was made from a simulated shop is not made from the account that takes its domain', async () => {
  const item = {
    url: 'https://late-shop.example/lamp',
    quantity: 1,
    expected_amount: 1000,
    expected_currency: 'USD',
  }
  const other = await buying.newBuyer()
  const made = await post(buyer.account, '/v1/purchase_intents', {
    profile_id: other.profileId,
    items: [item],
  })
  expect([made.status, made.body.status]).toEqual([201, 'awaiting_approval'])
  await openShop('late-shop.example')
  const refused = await post(buyer.account, `/v1/purchase_intents/${made.body.id}/approve`, { approve: true })
  expect([refused.status, refused.body.detail.code]).toEqual([409, 'merchant_changed'])
  expect(await buying.moneyOf(made.body.id)).toEqual([])
})
