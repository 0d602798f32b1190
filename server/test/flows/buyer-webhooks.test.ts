import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Buying, startBuying } from '../harness/buying.ts'
import { newEventDestination, type Receiver, startReceiver } from '../harness/deliveries.ts'

let buying: Buying
let receiver: Receiver
beforeAll(async () => {
  buying = await startBuying()
  receiver = await startReceiver()
})
afterAll(async () => {
  await buying?.stop()
  await receiver?.stop()
})

test('a buyer gets the events of its purchase from the request to the receipt, each once and in order', async () => {
  const buyer = await buying.newBuyer()
  const destination = await newEventDestination(buying.app, receiver.url, {}, buyer.key)
  const { id } = await buying.buy(buyer, [{ url: 'https://shop.example/thing' }])
  await buying.ended(buyer, id)
  await buying.settled()
  const types = await buying.eventTypes(buyer, id)
  expect(types).toContain('cart.succeeded')
  await expect.poll(() => receiver.received.length).toBe(types.length)
  const events = receiver.received.map(({ body, headers }) =>
    Stripe.webhooks.constructEvent(body, String(headers['service-signature']), destination.secret.secret),
  )
  expect(events.map(({ type }) => type)).toEqual(types)
  expect(events.at(-1)?.data).toEqual({ purchase_intent: await buying.read(buyer, id) })
  await buying.audit()
})
