import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { installTestClock } from '../../src/platform/clock/test-clock.ts'
import { hasChromium } from '../harness/browser.ts'
import { type Buyer, type Buying, type Purchase, startBuying } from '../harness/buying.ts'
import { newLiveBuyer } from '../harness/live-buyers.ts'
import { differences, readLedgers } from '../harness/live-ledger.ts'
import { answerOrder, openNativeShop } from '../harness/native-shops.ts'
import { person } from '../harness/person.ts'
import { openStrangers } from '../harness/strangers.ts'
import { stripeSimulator } from '../harness/stripe.ts'

/**
 * Live mode in several currencies, with several goods, and with merchants of every kind in one purchase. After each, all that Stripe remembers
 * is compared with all that we say.
 */
describe.runIf(hasChromium)('a purchase of live mode', () => {
  let buying: Buying

  beforeAll(async () => {
    const liveCapDaily = new Map(['USD', 'EUR', 'JPY'].map((currency) => [currency, 10_000_000n]))
    buying = await startBuying({ live: true, testClock: true, strangers: true, pages: true, liveCapDaily })
    await installTestClock(buying.app.databaseUrl)
    const stripe = stripeSimulator(buying.sandbox)
    const strangers = openStrangers(buying)
    for (const currency of ['USD', 'EUR', 'JPY']) await stripe.payIn(currency, 10_000_000)
    for (const shop of ['classic', 'laden', 'drift'])
      await strangers.know(`${shop}.shop.test`, 'browser', [], 'live')
    for (const shop of ['ucp', 'mpp']) await strangers.know(`${shop}.shop.test`, null, [], 'live')
  })
  afterEach(async () => {
    await buying.settled()
    // Of these currencies Stripe counts as we do.
    expect(differences(await readLedgers(buying), (amount) => amount)).toEqual([])
    await buying.audit()
  })
  afterAll(() => buying?.stop())

  type Wanted = { readonly url: string; readonly amount: number; readonly quantity?: number }

  function buy(buyer: Buyer, currency: string, goods: readonly Wanted[], method = 'ship'): Promise<Purchase> {
    return buying.buy(buyer, [], {
      items: goods.map(({ url, amount, quantity = 1 }) => ({
        url,
        quantity,
        expected_amount: amount,
        expected_currency: currency,
      })),
      preferences: { fulfillment: { method, max_fee_amount: 3_000 } },
      max_amount: 90_000,
    })
  }

  async function confirm(buyer: Buyer, { id }: Purchase, shop: Awaited<ReturnType<typeof openNativeShop>>) {
    const { carts } = await buying.until(buyer, id, (one) =>
      one.carts.some(
        ({ merchant_domain, order }) => merchant_domain === shop.domain && typeof order === 'string',
      ),
    )
    const cart = carts.find(({ merchant_domain }) => merchant_domain === shop.domain)
    await answerOrder(buying, shop, String(cart?.order), 'confirmed')
  }

  test('pays a German shop with pages in euros, and two goods of another one together', async () => {
    const address = {
      address_type: 'both',
      line1: 'Ring 1',
      city: 'Berlin',
      postal_code: '10115',
      country: 'DE',
    }
    const german = await newLiveBuyer(buying, 'pm_card_mastercard', {
      who: { ...person, country: 'DE', addresses: [address] },
    })
    const cup = await buy(german, 'EUR', [{ url: 'https://laden.shop.test/produkt/tasse', amount: 895 }])
    expect(await buying.ended(german, cup.id)).toMatchObject({ status: 'succeeded', actual_amount: 1_385 })
    const american = await newLiveBuyer(buying)
    const both = await buy(american, 'USD', [
      { url: 'https://classic.shop.test/product/kettle', amount: 4_900 },
      { url: 'https://classic.shop.test/product/teapot', amount: 3_250 },
    ])
    const two = await buying.ended(american, both.id)
    expect(two, JSON.stringify(two)).toMatchObject({ status: 'succeeded', actual_amount: 9_342 })
    expect(two.carts).toHaveLength(1)
  })

  test('pays in yen, which have no smaller part, at merchants of ours and at a seller elsewhere', async () => {
    const buyer = await newLiveBuyer(buying)
    const shops = [
      await openNativeShop(buying, 'live', { currency: 'JPY', price: 1_500 }),
      await openNativeShop(buying, 'live', { currency: 'JPY', price: 980 }),
    ] as const
    const goods = [
      { url: shops[0].url, amount: 1_500, quantity: 2 },
      { url: shops[1].url, amount: 980 },
    ]
    const purchase = await buy(buyer, 'JPY', goods)
    for (const shop of shops) await confirm(buyer, purchase, shop)
    expect(await buying.ended(buyer, purchase.id)).toMatchObject({
      status: 'succeeded',
      actual_amount: 3_980,
    })
    const forecast = await buy(
      buyer,
      'JPY',
      [{ url: 'https://mpp.shop.test/v1/token-in-yen', amount: 250 }],
      'digital',
    )
    const paid = await buying.ended(buyer, forecast.id)
    expect(paid, JSON.stringify(paid)).toMatchObject({ status: 'succeeded', actual_amount: 250 })
  })

  test.each([
    ['a page', { page: 'drift.shop.test/product/price-while-typing', ucp: 'kettle' }, 1_000 + 3_240],
    ['a seller over UCP', { page: 'classic.shop.test/product/kettle', ucp: 'declined' }, 1_000 + 5_832],
  ])(
    'in part at a merchant of ours, a page and a seller over UCP, where %s fails, costs what was bought',
    async (_, { page, ucp }, cost) => {
      const buyer = await newLiveBuyer(buying)
      const shop = await openNativeShop(buying, 'live')
      const purchase = await buy(buyer, 'USD', [
        { url: shop.url, amount: 1_000 },
        { url: `https://${page}`, amount: page.startsWith('drift') ? 2_000 : 4_900 },
        { url: `https://ucp.shop.test/products/${ucp}`, amount: 2_500 },
      ])
      await confirm(buyer, purchase, shop)
      const partly = await buying.ended(buyer, purchase.id)
      expect(partly, JSON.stringify(partly)).toMatchObject({
        status: 'failed',
        partial: true,
        actual_amount: cost,
      })
      expect(partly.carts.map(({ status }) => status).sort()).toEqual(['failed', 'succeeded', 'succeeded'])
    },
  )
})
