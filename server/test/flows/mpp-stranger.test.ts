import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import { type Buyer, type Buying, type Purchase, startBuying } from '../harness/buying.ts'
import { openStrangers } from '../harness/strangers.ts'

let buying: Buying
let strangers: ReturnType<typeof openStrangers>
let buyer: Buyer
beforeAll(async () => {
  buying = await startBuying({ testClock: true, strangers: true })
  await installTestClock(buying.app.databaseUrl)
  strangers = openStrangers(buying)
  buyer = await buying.newBuyer()
  await strangers.know('mpp.shop.test')
})
afterAll(() => buying?.stop())

async function bought(api: string, request?: object, amount = 250, path = `/v1/${api}`): Promise<Purchase> {
  const item = {
    url: `https://mpp.shop.test${path}${request ? '' : '?city=Oslo'}`,
    quantity: 1,
    expected_amount: amount,
    expected_currency: 'USD',
    ...(request ? { request } : {}),
  }
  const { id } = await buying.buy(buyer, [], {
    items: [item],
    preferences: { fulfillment: { method: 'digital' } },
  })
  const isOver = ['succeeded', 'failed', 'cancelled', 'awaiting_approval']
  return await buying.until(buyer, id, ({ status, carts }) => {
    if (isOver.includes(status) && carts.length > 0) return true
    void advanceTestClock(buying.app.databaseUrl, 2)
    return false
  })
}

const resultOf = (purchase: Purchase) =>
  fetch(`${buying.app.url}/v1/purchase_intents/${purchase.id}/carts/${purchase.carts[0]?.id}/result`, {
    headers: { authorization: `Bearer ${buyer.key}` },
  })

/** What the shop has taken since then, by its own book. */
async function takenBy(run: () => Promise<Purchase>): Promise<{ purchase: Purchase; taken: unknown[] }> {
  const before = (await strangers.orders('mpp')).length
  const purchase = await run()
  const orders = (await strangers.orders('mpp')).slice(before)
  return { purchase, taken: orders.flatMap(({ state, captured }) => (state === 'paid' ? [captured] : [])) }
}

describe('the paid API of the sandbox', () => {
  test('answers a GET and a POST once they are paid, and the buyer has the answer', async () => {
    const request = { method: 'POST', content_type: 'application/json', body: '{"city":"Bend","days":2}' }
    for (const asked of [undefined, request]) {
      const { purchase, taken } = await takenBy(() => bought('forecast', asked))
      expect(purchase).toMatchObject({ status: 'succeeded', actual_amount: 250 })
      expect(purchase.carts[0]).toMatchObject({ channel: 'mpp', merchant_domain: 'mpp.shop.test' })
      expect(taken).toEqual([250])
      const answer = await resultOf(purchase)
      expect(answer.headers.get('x-content-type')).toBe('application/json')
      expect(await answer.json()).toMatchObject({ city: asked ? 'Bend' : 'Oslo' })
    }
  })

  test('is a tool as well: its price comes as an error, and the payment in the call', async () => {
    const params = { name: 'forecast', arguments: { city: 'Bend', days: 2 } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const request = { method: 'POST', content_type: 'application/json', body }
    const { purchase, taken } = await takenBy(() => bought('forecast', request, 250, '/mcp'))
    expect(purchase).toMatchObject({ status: 'succeeded', actual_amount: 250 })
    expect(taken).toEqual([250])
    expect(await (await resultOf(purchase)).json()).toMatchObject({ structuredContent: { city: 'Bend' } })
    const unknown = body.replace('forecast', 'no_such_tool')
    const other = await takenBy(() => bought('forecast', { ...request, body: unknown }, 250, '/mcp'))
    expect([other.purchase.status, other.taken]).toEqual(['failed', []])
  })

  test.each<[string, { status: string; code?: string; result: number; taken: number }]>([
    ['no-receipt', { status: 'succeeded', result: 200, taken: 1 }],
    ['garbage-receipt', { status: 'succeeded', result: 200, taken: 1 }],
    ['picture', { status: 'succeeded', result: 200, taken: 1 }],
    ['too-large', { status: 'succeeded', result: 404, taken: 1 }],
    ['short-challenge', { status: 'succeeded', result: 200, taken: 1 }],
    ['dies-before-charge', { status: 'succeeded', result: 200, taken: 1 }],
    ['dies-after-charge', { status: 'succeeded', result: 200, taken: 1 }],
    // Charged, and nothing that was answered says so: the rail does.
    ['asks-again', { status: 'succeeded', result: 404, taken: 1 }],
    ['error-after-charge', { status: 'succeeded', result: 404, taken: 1 }],
    ['redirects-when-paid', { status: 'succeeded', result: 404, taken: 1 }],
    ['declined', { status: 'failed', result: 404, taken: 0 }],
    ['asks-more', { status: 'failed', code: 'payment_declined', result: 404, taken: 0 }],
    ['other-realm', { status: 'failed', result: 404, taken: 0 }],
    ['expired-challenge', { status: 'failed', result: 404, taken: 0 }],
    ['redirects', { status: 'failed', result: 404, taken: 0 }],
    ['garbage-challenge', { status: 'failed', result: 404, taken: 0 }],
    ['no-challenge', { status: 'failed', result: 404, taken: 0 }],
    ['free', { status: 'failed', result: 404, taken: 0 }],
  ])('%s ends as it should', async (api, expected) => {
    const { purchase, taken } = await takenBy(() => bought(api))
    expect(purchase.status).toBe(expected.status)
    expect(taken).toEqual(Array.from({ length: expected.taken }, () => 250))
    expect(purchase.actual_amount).toBe(250 * expected.taken)
    if (expected.code) expect(purchase.carts[0]).toMatchObject({ failure_reason: { code: expected.code } })
    expect((await resultOf(purchase)).status).toBe(expected.result)
    await buying.audit()
  })
})
