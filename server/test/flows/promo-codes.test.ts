import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import { type Buyer, type Buying, type Item, type Purchase, startBuying } from '../harness/buying.ts'
import { answerOrder, type NativeShop, openNativeShop } from '../harness/native-shops.ts'
import { openStrangers } from '../harness/strangers.ts'

let buying: Buying
let strangers: ReturnType<typeof openStrangers>
let buyer: Buyer
beforeAll(async () => {
  buying = await startBuying({ testClock: true, strangers: true })
  await installTestClock(buying.app.databaseUrl)
  strangers = openStrangers(buying)
  buyer = await buying.newBuyer()
  for (const host of ['ucp', 'tools.ucp', 'old.ucp']) await strangers.know(`${host}.shop.test`)
})
afterAll(() => buying?.stop())

/** What a purchase says of its code at each shop, by the way it is bought there. */
function promosOf({ carts }: Purchase): Record<string, unknown> {
  return Object.fromEntries(carts.map((cart) => [cart.channel, cart.promo_code]))
}

async function buy(
  items: readonly Item[],
  code: string | null,
  more: Record<string, unknown> = {},
): Promise<Purchase> {
  const preferences = {
    fulfillment: { method: 'ship', max_fee_amount: 4000 },
    ...(code === null ? {} : { promo_code: code }),
  }
  return buying.buy(buyer, items, { preferences, max_amount: 30_000, ...more })
}

/** Its end; two seconds pass at a time, wherever it waits. */
async function ended(intent: Purchase): Promise<Purchase> {
  let passing: Promise<unknown> | null = null
  const over = await buying.until(buyer, intent.id, ({ status, carts }) => {
    if (['succeeded', 'failed', 'cancelled', 'awaiting_approval'].includes(status) && carts.length > 0)
      return true
    // One at a time: each opens a connection of its own.
    passing ??= advanceTestClock(buying.app.databaseUrl, 2).finally(() => {
      passing = null
    })
    return false
  })
  await passing
  return over
}

type At = { readonly host?: string; readonly path?: string; readonly variant?: object }

function kettle({ host = 'ucp', path = 'kettle', variant }: At = {}): Item {
  const url = `https://${host}.shop.test/products/${path}`
  return { url, amount: 2500, ...(variant ? { variant } : {}) }
}

describe('a shop that speaks UCP', () => {
  const refused = { status: 'refused', message: 'The code SPRING is not known.' }
  const cases: readonly [string, string | null, At, object | null, number][] = [
    ['takes a code off', 'WELCOME10', {}, { code: 'WELCOME10', status: 'applied', message: null }, 2970],
    [
      'takes it in any case of letters, without the spaces around it',
      '  welcome10 ',
      {},
      { code: 'welcome10', status: 'applied', message: null },
      2970,
    ],
    [
      'takes it over tools',
      'WELCOME10',
      { host: 'tools.ucp' },
      { code: 'WELCOME10', status: 'applied', message: null },
      2970,
    ],
    [
      'takes it by the first release',
      'WELCOME10',
      { host: 'old.ucp', variant: { id: 'kettle' } },
      { code: 'WELCOME10', status: 'applied', message: null },
      2970,
    ],
    ['sells without a code that it refuses', 'SPRING', {}, { code: 'SPRING', ...refused }, 3240],
    [
      'sells without a code that it stumbles over',
      'WELCOME10',
      { path: 'miscounts-codes' },
      { code: 'WELCOME10', status: 'refused', message: null },
      3240,
    ],
    ['is told of no code where there is none', null, {}, null, 3240],
  ]
  test.each(cases)('%s', async (_what, code, at, promo, total) => {
    const before = (await strangers.log('ucp')).length
    const intent = await ended(await buy([kettle(at)], code))
    expect(intent).toMatchObject({ status: 'succeeded', actual_amount: total })
    expect(promosOf(intent)).toEqual({ ucp: promo })
    expect(intent.carts[0]?.offer).toMatchObject({
      subtotal: 2500,
      discount: total === 2970 ? 250 : 0,
      total,
    })
    const charges = (await strangers.log('ucp')).slice(before).filter(({ kind }) => kind === 'charge')
    expect(charges.map(({ result, amount }) => `${result} ${amount}`)).toEqual([
      `authorized ${total}`,
      `captured ${total}`,
    ])
    const rail = await buying.sandbox.processorLog()
    expect(rail.filter(({ operation, amount }) => operation === 'capture' && amount === total)).not.toEqual(
      [],
    )
  })

  test('is not asked a second time in one attempt, and a retry asks it again', async () => {
    const intent = await ended(await buy([kettle({ path: 'declined' })], 'WELCOME10'))
    expect(intent.status).toBe('failed')
    expect(promosOf(intent)).toEqual({ ucp: { code: 'WELCOME10', status: 'applied', message: null } })
    const asked = await buying.app.post(`/v1/purchase_intents/${intent.id}/retry`, {}, { key: buyer.key })
    expect(asked.status, JSON.stringify(asked.body)).toBe(200)
    expect(asked.body.carts[0].promo_code).toEqual({ code: 'WELCOME10', status: 'not_tried', message: null })
    const again = await ended(intent)
    expect(again.carts[0]).toMatchObject({
      attempt_number: 2,
      promo_code: { code: 'WELCOME10', status: 'applied' },
      offer: { discount: 250, total: 2970 },
    })
  })

  test('that does not sell is not reported as one that refuses the code', async () => {
    const intent = await ended(await buy([kettle({ path: 'sold-out' })], 'WELCOME10'))
    expect(intent.carts[0]).toMatchObject({
      failure_reason: { code: 'product_out_of_stock' },
      promo_code: { code: 'WELCOME10', status: 'not_tried', message: null },
    })
  })
})

async function publish({ seller }: NativeShop, terms: object): Promise<string> {
  const key = seller.keys.secret_test
  const made = await buying.app.post('/v1/promotions', { name: 'Offer', currency: 'USD', ...terms }, { key })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  const published = await buying.app.post(`/v1/promotions/${made.body.id}/publish`, undefined, { key })
  expect(published.status, JSON.stringify(published.body)).toBe(200)
  return made.body.id
}

const percent = (value: number) => [{ kind: 'percent', value, ttl_minutes: 30 }]

async function boughtAt(shop: NativeShop, code: string | null): Promise<Purchase> {
  const made = await buy([{ url: shop.url, amount: 1000 }], code)
  const { carts } = await buying.until(buyer, made.id, (one) => typeof one.carts[0]?.order === 'string')
  await answerOrder(buying, shop, String(carts[0]?.order), 'confirmed')
  return buying.ended(buyer, made.id)
}

describe('a merchant of ours', () => {
  test('prices a code as a checkout over UCP does: after the promotion that needs none, each with a use of its own', async () => {
    const shop = await openNativeShop(buying)
    const promotions = [
      await publish(shop, { arms: percent(1000) }),
      await publish(shop, { arms: percent(2000), code: 'TEA-20', caps: { total_uses: 1 } }),
    ]
    const preview = await buying.app.post(
      '/v1/purchase_intents/preview',
      {
        profile_id: buyer.profileId,
        items: [{ url: shop.url, quantity: 1, expected_amount: 1000, expected_currency: 'USD' }],
        preferences: { promo_code: 'tea-20' },
      },
      { key: buyer.key },
    )
    expect(preview.body.merchants[0]).toMatchObject({
      offer: { discount: 280, total: 720 },
      promo_code: { code: 'tea-20', status: 'applied', message: null },
    })
    const intent = await boughtAt(shop, 'tea-20')
    expect(intent).toMatchObject({ status: 'succeeded', actual_amount: 720 })
    expect(promosOf(intent)).toEqual({ native: { code: 'tea-20', status: 'applied', message: null } })
    expect(await buying.moneyOf(intent.id)).toEqual(['authorize 720 approved', 'capture 720 approved'])
    const key = shop.seller.keys.secret_test
    const used = await Promise.all(
      promotions.map(async (id) => (await buying.app.get(`/v1/promotions/${id}`, { key })).body.usage),
    )
    expect(used).toEqual([
      { uses: 1, discount_amount: 100 },
      { uses: 1, discount_amount: 180 },
    ])
    const next = await boughtAt(shop, 'TEA-20')
    expect(next).toMatchObject({ status: 'succeeded', actual_amount: 900 })
    expect(promosOf(next)).toEqual({
      native: {
        code: 'TEA-20',
        status: 'refused',
        message: expect.stringContaining('takes nothing off this cart'),
      },
    })
  })

  test('sells without a code that it does not have', async () => {
    const shop = await openNativeShop(buying)
    const intent = await boughtAt(shop, 'SPRING')
    expect(intent).toMatchObject({ status: 'succeeded', actual_amount: 1000 })
    expect(promosOf(intent)).toEqual({
      native: { code: 'SPRING', status: 'refused', message: 'The merchant has no such code.' },
    })
    expect(promosOf(await boughtAt(shop, null))).toEqual({ native: null })
  })

  test('gives no discount whose use has ended while the money was held', async () => {
    const shop = await openNativeShop(buying)
    await publish(shop, { arms: percent(1000) })
    const id = await publish(shop, { arms: percent(2000), code: 'TEA-20' })
    const usesOf = async () =>
      (await buying.app.get(`/v1/promotions/${id}`, { key: shop.seller.keys.secret_test })).body.usage.uses
    const pause = buying.faults.pause('authorize.after')
    const slow = await buy([{ url: shop.url, amount: 1000 }], 'TEA-20')
    await pause.reached
    expect(await usesOf()).toBe(1)
    await buying.sql(`update promotion_redemptions set due_at = prokura_now() where promotion_id = $1`, [id])
    await expect.poll(usesOf, { interval: 20 }).toBe(0)
    pause.resume()
    expect(await buying.ended(buyer, slow.id)).toMatchObject({
      status: 'failed',
      failure_reason: { code: 'price_changed' },
    })
  })
})

test('several shops of one purchase: each tries the code once, and none waits for another', async () => {
  const shop = await openNativeShop(buying)
  const code = 'WELCOME10'
  const items = [
    kettle(),
    { url: shop.url, amount: 1000 },
    { url: 'https://shop.example/thing', amount: 500 },
  ]
  const made = await buy(items, code)
  const { carts } = await buying.until(buyer, made.id, (one) =>
    one.carts.some(({ order }) => typeof order === 'string'),
  )
  await answerOrder(buying, shop, String(carts.find(({ order }) => order)?.order), 'confirmed')
  const intent = await ended(made)
  expect(intent.carts.map((cart) => cart.failure_reason)).toEqual([null, null, null])
  expect(promosOf(intent)).toEqual({
    ucp: { code, status: 'applied', message: null },
    native: { code, status: 'refused', message: 'The merchant has no such code.' },
    simulated: { code, status: 'not_tried', message: 'The code could not be given to the shop.' },
  })
})

test('a cart’s event shows what the cart shows, and a tool the same as an address', async () => {
  const intent = await ended(await buy([kettle()], 'SPRING'))
  const { body } = await buying.app.get(`/v1/purchase_intents/${intent.id}/events?limit=200`, {
    key: buyer.key,
  })
  const promos = body.data.flatMap(
    ({ type, data }: { type: string; data: { cart?: { promo_code: unknown } } }) =>
      data.cart && type === 'cart.offer_updated' ? [data.cart.promo_code] : [],
  )
  expect(promos).toEqual([intent.carts[0]?.promo_code])
  const tool = await buying.app.mcp(
    'v1_get_purchase_intent',
    { purchase_intent_id: intent.id },
    { key: buyer.key },
  )
  expect(tool.body).toEqual(await buying.read(buyer, intent.id))
})

test('leaves nothing open, and every sum as it should be', async () => {
  await advanceTestClock(buying.app.databaseUrl, 3700)
  const overdue = `select id from carts where due_at < prokura_now() or lease_until is not null`
  await expect.poll(async () => (await buying.sql(overdue)).length, { interval: 20 }).toBe(0)
  await buying.audit()
})
