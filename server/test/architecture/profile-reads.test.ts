import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Buying, startBuying } from '../harness/buying.ts'
import { answerOrder, openNativeShop } from '../harness/native-shops.ts'
import { recordPools } from '../harness/recorded-pools.ts'

let buying: Buying
beforeAll(async () => {
  buying = await startBuying()
})
afterAll(() => buying?.stop())

/** A figure of docs/architecture.md. It may fall. If it grows, a person's data is read once more for each purchase. */
const readsMax = 4

test('a purchase that a person approves, at a merchant of ours that promotes, reads the profile no more often than is known', async () => {
  const { app } = buying
  const shop = await openNativeShop(buying)
  const key = shop.seller.keys.secret_test
  const arms = [{ kind: 'percent', value: 1000, ttl_minutes: 30 }]
  // A promotion that counts e-mail addresses has to know the buyer's.
  const identity = { rule: 'email' }
  const tenth = { name: 'Tenth', currency: 'USD', arms, identity }
  const promotion = await app.post('/v1/promotions', tenth, { key })
  const published = await app.post(`/v1/promotions/${promotion.body.id}/publish`, undefined, { key })
  expect(published.status).toBe(200)
  const buyer = await buying.newBuyer()
  const original = { ...app.parts.pools }
  const recorder = recordPools(original)
  // In place: the API, the worker and the relay of this process share them.
  Object.assign(app.parts.pools, recorder.pools)
  const sent = await recorder.record(async () => {
    const { id } = await buying.buy(buyer, [{ url: shop.url }])
    const { carts } = await buying.until(buyer, id, (intent) => Boolean(intent.carts[0]?.order))
    await answerOrder(buying, shop, String(carts[0]?.order), 'confirmed')
    expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded', actual_amount: 900 })
  })
  Object.assign(app.parts.pools, original)
  const names = sent.map(({ statement }) => statement.name)
  // The worker's statements are seen too.
  expect(names).toEqual(expect.arrayContaining(['claim_due_purchase_intents', 'claim_due_carts']))
  const reads = sent.filter(({ statement }) => /\b(?:from|join) profiles\b/.test(statement.text))
  const told = reads.map(({ statement }) => statement.name || statement.text)
  expect(told.length, told.join('\n')).toBeGreaterThan(0)
  expect(told.length, told.join('\n')).toBeLessThanOrEqual(readsMax)
})
