import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Buyer, type Buying, type Purchase, startBuying } from '../harness/buying.ts'
import { answerOrder, type NativeShop, openNativeShop } from '../harness/native-shops.ts'

let buying: Buying
let shop: NativeShop
let buyer: Buyer

/** Nothing is worked on but when a test says so: the profile changes while the purchase waits. */
beforeAll(async () => {
  buying = await startBuying()
  shop = await openNativeShop(buying)
  await buying.stopWorker()
})
beforeEach(async () => {
  buyer = await buying.newBuyer()
  await become('Ada')
})
afterAll(() => buying?.stop())

/** From now on the profile is that of somebody else. */
async function become(name: string): Promise<void> {
  const { status, body } = await buying.app.post(`/v1/profiles/${buyer.profileId}`, {
    first_name: name,
    last_name: null,
    email: `${name.toLowerCase()}@example.com`,
    phone: null,
  })
  expect(status, JSON.stringify(body)).toBe(200)
}

const goods = () => [{ url: shop.url, amount: 1000 }]

/** Works until the purchase is as it should be. */
async function worked(id: string, is: (intent: Purchase) => boolean): Promise<Purchase> {
  let intent = await buying.read(buyer, id)
  await expect
    .poll(async () => {
      await buying.workWith({})
      intent = await buying.read(buyer, id)
      return is(intent)
    })
    .toBe(true)
  return intent
}

const isOrdered = ({ carts: [cart] }: Purchase) => cart?.status === 'in_progress' && cart.order !== null

/** To whom the merchant's order of the first cart is to go. */
async function customerOf({ carts }: Purchase): Promise<string> {
  const { body } = await buying.app.get(`/v1/merchant/orders/${carts[0]?.order}`, {
    key: shop.seller.keys.secret_test,
  })
  return `${body.customer?.name} <${body.customer?.email}>`
}

/** Ends its attempt. */
async function reject({ id, carts }: Purchase): Promise<void> {
  await answerOrder(buying, shop, String(carts[0]?.order), 'rejected')
  await worked(id, ({ status }) => status === 'failed')
}

async function call(id: string, what: string, body?: object): Promise<void> {
  const answer = await buying.app.post(`/v1/purchase_intents/${id}/${what}`, body)
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
}

test('a purchase is bought for whom it was approved, also when it is retried under that approval', async () => {
  const { id } = await buying.buy(buyer, goods())
  await become('Grace')
  const first = await worked(id, isOrdered)
  expect(await customerOf(first)).toBe('Ada <ada@example.com>')
  await reject(first)
  await call(id, 'retry')
  expect(await customerOf(await worked(id, isOrdered))).toBe('Ada <ada@example.com>')
})

test('what a policy allows is bought for the profile as it was when it was allowed', async () => {
  const made = await buying.app.post('/v1/policies', {
    name: 'Small',
    currency: 'USD',
    approval: { mode: 'never' },
    limits: { per_transaction_max: 5000 },
    scope: { profile_ids: [buyer.profileId] },
  })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const { body } = await buying.app.post('/v1/purchase_intents', {
    profile_id: buyer.profileId,
    items: [{ url: shop.url, quantity: 1, expected_amount: 1000, expected_currency: 'USD' }],
  })
  expect(body.status, JSON.stringify(body)).toBe('queued')
  await become('Grace')
  const first = await worked(body.id, isOrdered)
  expect(await customerOf(first)).toBe('Ada <ada@example.com>')
  await reject(first)
  // No person has approved it: the retry is a decision of its own, about the profile of this moment.
  await call(body.id, 'retry')
  expect(await customerOf(await worked(body.id, isOrdered))).toBe('Grace <grace@example.com>')
})

test('a new price is approved for the buyer whom the purchase has already', async () => {
  const { id } = await buying.buy(buyer, [{ url: shop.url, amount: 900 }])
  await become('Grace')
  const asking = await worked(id, ({ status }) => status === 'awaiting_approval')
  expect(asking.next_action).toMatchObject({ type: 'reapprove_price' })
  await call(id, 'approve', { approve: true })
  expect(await customerOf(await worked(id, isOrdered))).toBe('Ada <ada@example.com>')
})
