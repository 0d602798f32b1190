import { afterAll, beforeAll, expect, test } from 'vitest'
import { thirdInGate } from '../gate/tenth-in-gate.ts'
import type { TestAccount } from '../harness/app.ts'
import { type Buyer, type Buying, type Purchase, startBuying } from '../harness/buying.ts'
import { type Receiver, startReceiver } from '../harness/deliveries.ts'
import { accepted, answering, askQuote, openQuotingShop, type QuotingShop } from '../harness/quotes.ts'

/*
 * Who sells is fixed when a price is quoted and a purchase is made. Here a merchant becomes somebody else in every way, at every moment
 * until its order is placed. The processor's log is the witness: nothing is captured.
 */

let buying: Buying
let buyer: Buyer
let receiver: Receiver
let worker: { stop(): Promise<void> }
beforeAll(async () => {
  buying = await startBuying()
  buyer = await buying.newBuyer()
  receiver = await startReceiver()
  // Each test says when work is done.
  await buying.stopWorker()
  worker = buying.startWorker()
})
afterAll(async () => {
  await receiver?.stop()
  await buying?.stop()
})

let shops = 0

/** A verified merchant that answers quotes with 1000 EUR and sells one thing at a URL of its own. */
async function openMerchant(): Promise<QuotingShop & { domain: string; url: string; taken: string }> {
  const domain = `seller${++shops}.example`
  const url = `https://${domain}/thing`
  const shop = await openQuotingShop(buying.app, receiver, {
    merchant: { domain, mcc: '5999', country: 'US' },
    item: { url },
  })
  await verify(shop.seller)
  receiver.answer(
    answering(
      buying.app,
      () => shop,
      (asked) => accepted(asked, { quoted_amount_cents: 1000 }),
    ),
  )
  return { ...shop, domain, url, taken: `trusted${shops}.example` }
}

type Merchant = Awaited<ReturnType<typeof openMerchant>>

const verify = ({ accountId }: TestAccount) =>
  buying.sql('update merchants set domain_verified_at = now() where account_id = $1', [accountId])

async function write({ key }: { key: string }, body: Record<string, unknown>): Promise<void> {
  const { status, body: answer } = await buying.app.post('/v1/merchant', body, { key })
  expect(status, JSON.stringify(answer)).toBe(200)
}

/** Every way in which a merchant can become somebody else. */
const changes: Record<string, (shop: Merchant) => Promise<unknown>> = {
  "claims another shop's domain": (shop) => write(shop, { domain: shop.taken }),
  'proves another domain': async (shop) => {
    await write(shop, { domain: shop.taken })
    await verify(shop.seller)
  },
  'gives up its domain': (shop) => write(shop, { domain: null }),
  'claims another category': (shop) => write(shop, { mcc: '5411' }),
  'claims no category': (shop) => write(shop, { mcc: null }),
  'claims another country': (shop) => write(shop, { country: 'DE' }),
  'loses its verification': ({ seller }) =>
    buying.sql('update merchants set domain_verified_at = null where account_id = $1', [seller.accountId]),
  'loses its domain to another account, which proves it': async (shop) => {
    await write(shop, { domain: null })
    const other = await buying.app.newAccount('Other')
    const key = other.keys.secret_test
    await write({ key }, { domain: shop.domain, mcc: '5999', country: 'US', name: 'Shop' })
    await verify(other)
  },
}

type Made = { id: string; status: number; code: string | null }

const post = async (path: string, body: Record<string, unknown>) => {
  const answer = await buying.app.post(path, body, { key: buyer.key })
  return { id: answer.body.id, status: answer.status, code: answer.body.detail?.code ?? null }
}

async function quote(shop: Merchant): Promise<{ id: string; offerId: string }> {
  const made = await askQuote(
    buying.app,
    { catalog_variant_id: shop.variantId, quantity: 1 },
    { key: buyer.key },
  )
  expect([made.status, made.body.status]).toEqual([201, 'quoted'])
  return { id: made.body.id, offerId: made.body.offers[0].id }
}

const accept = ({ id, offerId }: { id: string; offerId: string }): Promise<Made> =>
  post(`/v1/quotes/${id}/accept`, { offer_id: offerId, profile_id: buyer.profileId })
const approve = (id: string): Promise<Made> => post(`/v1/purchase_intents/${id}/approve`, { approve: true })

/** The two ways in which a native merchant is bought from. */
const ways: Record<string, (shop: Merchant) => Promise<Made>> = {
  'at a quoted price': async (shop) => accept(await quote(shop)),
  'by its URL': (shop) =>
    post('/v1/purchase_intents', {
      profile_id: buyer.profileId,
      items: [{ url: shop.url, quantity: 1, expected_amount: 1000, expected_currency: 'EUR' }],
    }),
}

async function confirm(shop: Merchant, order: string): Promise<void> {
  const { status } = await buying.app.post(
    `/v1/merchant/orders/${order}/responses`,
    { outcome: 'confirmed', confirmation_reference: `C-${order}` },
    { key: shop.key },
  )
  expect(status).toBe(200)
}

const ordered = (id: string): Promise<Purchase> =>
  buying.until(buyer, id, ({ carts }) => Boolean(carts[0]?.order))

/** It failed for this reason alone, without a retry that could help, and took nothing. */
async function expectRefused(id: string, money: string[]): Promise<void> {
  const over = await buying.ended(buyer, id)
  expect(over).toMatchObject({
    status: 'failed',
    actual_amount: 0,
    carts: [
      {
        channel: 'native',
        failure_reason: { code: 'merchant_changed', category: 'policy', retry_policy: 'none' },
      },
    ],
  })
  await buying.settled()
  expect(await buying.moneyOf(id)).toEqual(money)
}

const cases = Object.keys(ways).flatMap((way) => Object.keys(changes).map((change) => [way, change] as const))

async function made(way: string, change: string) {
  const [make, become] = [ways[way], changes[change]]
  if (!make || !become) throw new Error('no such case')
  const shop = await openMerchant()
  return { shop, make: () => make(shop), become: () => become(shop) }
}

test.each(Object.keys(changes))('a merchant that %s after it quoted is not bought from', async (change) => {
  const shop = await openMerchant()
  const quoted = await quote(shop)
  await changes[change]?.(shop)
  const { status, code } = await accept(quoted)
  expect([status, code]).toEqual([409, 'merchant_changed'])
  // The quote is nobody's; asked anew, the merchant is shown as whom it is by now.
  const read = await buying.app.get(`/v1/quotes/${quoted.id}`, { key: buyer.key })
  expect([read.body.status, read.body.purchase_intent_id]).toEqual(['quoted', null])
})

test.each(thirdInGate(cases))('%s: an approval is refused once the merchant %s', async (way, change) => {
  const { make, become } = await made(way, change)
  const { id, status } = await make()
  expect(status).toBe(201)
  await become()
  const refused = await approve(id)
  expect([refused.status, refused.code]).toEqual([409, 'merchant_changed'])
  expect((await buying.read(buyer, id)).status).toBe('awaiting_approval')
  expect(await buying.moneyOf(id)).toEqual([])
})

test.each(thirdInGate(cases))(
  '%s: nothing is authorized when the merchant %s before execution begins',
  async (way, change) => {
    const { make, become } = await made(way, change)
    const { id } = await make()
    await worker.stop()
    expect((await approve(id)).status).toBe(200)
    await become()
    worker = buying.startWorker()
    await expectRefused(id, [])
  },
)

test.each(thirdInGate(cases))(
  '%s: the authorization is released when the merchant %s before it has the order',
  async (way, change) => {
    const { make, become } = await made(way, change)
    const { id } = await make()
    const pause = buying.faults.pause('authorize.before')
    expect((await approve(id)).status).toBe(200)
    await pause.reached
    await become()
    pause.resume()
    await expectRefused(id, ['authorize 1000 approved', 'void 1000 voided'])
  },
)

test.each(thirdInGate(cases))(
  '%s: an order that was placed is paid, although the merchant %s',
  async (way, change) => {
    const { shop, make, become } = await made(way, change)
    const { id } = await make()
    expect((await approve(id)).status).toBe(200)
    const order = String((await ordered(id)).carts[0]?.order)
    await become()
    await confirm(shop, order)
    expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded', actual_amount: 1000 })
    expect(await buying.moneyOf(id)).toEqual(['authorize 1000 approved', 'capture 1000 approved'])
  },
)

/** Bought from two merchants: one has its order, the other asks for a fifth more. */
async function askedAboutPrice(dear: Merchant, other: Merchant) {
  const { body } = await buying.app.post(
    '/v1/purchase_intents',
    {
      profile_id: buyer.profileId,
      items: [other, dear].map(({ url }) => ({
        url,
        quantity: 1,
        expected_amount: 1000,
        expected_currency: 'EUR',
      })),
    },
    { key: buyer.key },
  )
  const price = { variants: [{ id: dear.variantId, price: 1200 }] }
  const repriced = await buying.app.post(`/v1/merchant/catalog_items/${dear.itemId}`, price, {
    key: dear.key,
  })
  expect(repriced.status).toBe(200)
  expect((await approve(body.id)).status).toBe(200)
  await buying.until(
    buyer,
    body.id,
    ({ status, carts }) => status === 'awaiting_approval' && Boolean(carts[0]?.order),
  )
  return body.id as string // as the contract shows a purchase
}

test('a new price is approved, although a merchant that has its order already has become another', async () => {
  const [dear, other] = [await openMerchant(), await openMerchant()]
  const id = await askedAboutPrice(dear, other)
  await write(other, { mcc: '5411' })
  expect(await approve(id)).toMatchObject({ status: 200 })
  const both = await buying.until(buyer, id, ({ carts }) => carts.every(({ order }) => Boolean(order)))
  await confirm(other, String(both.carts[0]?.order))
  await confirm(dear, String(both.carts[1]?.order))
  expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded', actual_amount: 2200 })
})

test('a new price is not approved of a merchant that has become another since', async () => {
  const [dear, other] = [await openMerchant(), await openMerchant()]
  const id = await askedAboutPrice(dear, other)
  await write(dear, { mcc: '5411' })
  const refused = await approve(id)
  expect([refused.status, refused.code]).toEqual([409, 'merchant_changed'])
  expect((await buying.read(buyer, id)).status).toBe('awaiting_approval')
  // Nothing waits for an answer when this ends.
  const declined = await buying.app.post(
    `/v1/purchase_intents/${id}/approve`,
    { approve: false },
    { key: buyer.key },
  )
  expect(declined.status).toBe(200)
})

test('every invariant holds of all of them', () => buying.audit())
