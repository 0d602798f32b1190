import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import { type Buyer, type Buying, startBuying } from '../harness/buying.ts'

/** A payment rail that turns calls away: it did nothing, and says so. Its log is the witness. */
let buying: Buying
let buyer: Buyer
let sellerKey: string
const shopUrl = 'https://away.example/thing'

beforeAll(async () => {
  buying = await startBuying({ testClock: true })
  await installTestClock(buying.app.databaseUrl)
  buyer = await buying.newBuyer()
  const seller = await buying.app.newAccount('Seller')
  sellerKey = seller.keys.secret_test
  await post('/v1/merchant', { name: 'Native Shop', domain: 'away.example', currency: 'USD' })
  await buying.sql('update merchants set domain_verified_at = now() where account_id = $1', [
    seller.accountId,
  ])
  const item = await post('/v1/merchant/catalog_items', {
    title: 'Thing',
    url: shopUrl,
    variants: [{ sku: 'T-1', price: 1000 }],
  })
  await post(`/v1/merchant/catalog_items/${item.id}/publish`, {})
})
afterEach(async () => {
  await buying.sandbox.clearFaults()
  await buying.settled()
  await buying.audit()
})
afterAll(() => buying?.stop())

async function post(path: string, body: object, key = sellerKey) {
  const answer = await buying.app.post(path, body, { key })
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  return answer.body
}

async function ordered(): Promise<{ id: string; order: string }> {
  const { id } = await buying.buy(buyer, [{ url: shopUrl }])
  const { carts } = await buying.until(buyer, id, (intent) => Boolean(intent.carts[0]?.order))
  return { id, order: String(carts[0]?.order) }
}

function confirm(order: string) {
  const answer = { outcome: 'confirmed', confirmation_reference: `C-${order}` }
  return post(`/v1/merchant/orders/${order}/responses`, answer)
}

/** What the processor did, and how often it turned a call of this purchase away. */
async function testimonyOf(id: string): Promise<{ done: string[]; away: number }> {
  const log = await buying.moneyOf(id)
  return {
    done: log.filter((line) => !line.includes('turned_away')),
    away: log.filter((line) => line.includes('turned_away')).length,
  }
}

test.each([401, 403, 404, 408, 422, 425, 429])(
  'a capture of a confirmed order that is turned away with %i is made later, once',
  async (status) => {
    const { id, order } = await ordered()
    await buying.sandbox.fault({
      match: { operation: 'capture', reference_contains: id },
      fault: `status=${status}`,
      times: 2,
    })
    await confirm(order)
    expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded', actual_amount: 1000 })
    expect(await testimonyOf(id)).toEqual({
      done: ['authorize 1000 approved', 'capture 1000 approved'],
      away: 2,
    })
  },
)
