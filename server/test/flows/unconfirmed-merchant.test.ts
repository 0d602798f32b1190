import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Buyer, type Buying, startBuying } from '../harness/buying.ts'
import { createDestination, newDestination, type Receiver, startReceiver } from '../harness/deliveries.ts'
import { answerOrder, openNativeShop } from '../harness/native-shops.ts'

let buying: Buying
let buyer: Buyer
let receiver: Receiver
beforeAll(async () => {
  buying = await startBuying()
  buyer = await buying.newBuyer()
  receiver = await startReceiver()
})
afterEach(() => buying.audit())
afterAll(async () => {
  await receiver?.stop()
  await buying?.stop()
})

const answering = ['order.requested', 'order.confirmed', 'order.rejected']

/** A merchant whose backend is to answer orders, at an endpoint that refuses everything for now. */
async function openUnconfirmed() {
  receiver.answer((response) => void response.writeHead(500).end())
  const shop = await openNativeShop(buying)
  const key = shop.seller.keys.secret_test
  const made = await createDestination(buying.app, 'merchant', {
    endpointUrl: receiver.url,
    more: { event_types: answering },
    key,
  })
  return { shop, key, path: `/v1/merchant/destinations/${made.id}` }
}

const buy = async (url: string) => (await buying.buy(buyer, [{ url }])).id
const isAsked = async (id: string) =>
  buying.until(buyer, id, ({ carts }) => carts[0] !== undefined && carts[0].status === 'in_progress')

test('no money is held for a merchant whose backend has not confirmed its endpoint: the purchase waits, and goes on once it has', async () => {
  const { shop, key, path } = await openUnconfirmed()
  const id = await buy(shop.url)
  await isAsked(id)
  expect(await buying.moneyOf(id)).toEqual([])
  receiver.answer((response) => void response.end())
  expect((await buying.app.post(`${path}/test`, undefined, { key })).body.status).toBe('succeeded')
  const intent = await buying.until(buyer, id, ({ carts }) => Boolean(carts[0]?.order))
  await answerOrder(buying, shop, String(intent.carts[0]?.order), 'confirmed')
  expect((await buying.ended(buyer, id)).status).toBe('succeeded')
})

test('a purchase at a merchant whose backend never confirms fails as one at a merchant that does not answer, and nothing was held', async () => {
  const { shop } = await openUnconfirmed()
  const id = await buy(shop.url)
  const intent = await buying.ended(buyer, id)
  expect(intent).toMatchObject({
    status: 'failed',
    carts: [{ failure_reason: { code: 'merchant_unavailable' } }],
  })
  expect(await buying.moneyOf(id)).toEqual([])
})

test('one confirmed backend is enough, and a merchant that answers with its key alone needs none', async () => {
  const { shop, key } = await openUnconfirmed()
  await newDestination(buying.app, 'https://confirmed.example/', { event_types: answering }, key)
  const id = await buy(shop.url)
  await buying.until(buyer, id, ({ carts }) => Boolean(carts[0]?.order))
  const alone = await openNativeShop(buying)
  const other = await buy(alone.url)
  await buying.until(buyer, other, ({ carts }) => Boolean(carts[0]?.order))
})
