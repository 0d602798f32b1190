import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Delivering, startDelivering } from '../../../../test/harness/deliveries.ts'
import { askQuote, openQuotingShop } from '../../../../test/harness/quotes.ts'

let delivering: Delivering
beforeAll(async () => {
  delivering = await startDelivering()
})
afterAll(() => delivering.stop())

test('a responder whose endpoint has not confirmed is asked for no price: 409, and nothing reaches it', async () => {
  const { app, deliverer, receiver } = delivering
  const shop = await openQuotingShop(app, receiver)
  await app.sql('update webhook_destinations set confirmed_at = null where id = $1', [shop.destination.id])
  const refused = await askQuote(app, { catalog_item_id: shop.itemId })
  expect([refused.status, refused.body.detail.code]).toEqual([409, 'responder_not_configured'])
  await deliverer.drain()
  expect(receiver.received).toEqual([])
})
