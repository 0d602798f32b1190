import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Buyer, type Buying, type CartBody, type Purchase, startBuying } from '../harness/buying.ts'
import { answerOrder, type NativeShop, openNativeShop } from '../harness/native-shops.ts'
import { contradictions, hearWitnesses, refundContradictions } from '../harness/witness.ts'

/** Purchases over several merchants of ours: each cart is retried, and each order refunded, as if it were alone. */
let buying: Buying
let buyer: Buyer
let shops: NativeShop[]

beforeAll(async () => {
  buying = await startBuying()
  buyer = await buying.newBuyer()
  shops = await Promise.all([1, 2, 3, 4].map(() => openNativeShop(buying)))
})
afterEach(() => buying.audit())
afterAll(() => buying?.stop())

/** Waits until every cart that is not over has an order of its current attempt. */
async function ordered(id: string): Promise<Purchase> {
  const isOrdered = ({ status, order }: CartBody) =>
    status === 'succeeded' || (status === 'in_progress' && typeof order === 'string')
  return buying.until(buyer, id, ({ carts }) => carts.length > 0 && carts.every(isOrdered))
}

function cartAt({ carts }: Purchase, position: number): CartBody {
  const cart = carts[position]
  if (!cart) throw new Error(`a purchase without a cart ${position}`)
  return cart
}

async function answer(purchase: Purchase, position: number, outcome: 'confirmed' | 'rejected') {
  const shop = shops.find(({ domain }) => domain === cartAt(purchase, position).merchant_domain)
  if (!shop) throw new Error('a cart of no shop')
  await answerOrder(buying, shop, String(cartAt(purchase, position).order), outcome)
}

async function retry(id: string): Promise<void> {
  const { status, body } = await buying.app.post(`/v1/purchase_intents/${id}/retry`, {}, { key: buyer.key })
  expect([status, body.status]).toEqual([200, 'approved'])
}

/** What the processor remembers of one cart. */
async function moneyOf(id: string, cart: string): Promise<string[]> {
  return (await buying.moneyOf(`${id}/${cart}`)).map((line) => line.replace(' 1000 ', ' '))
}

async function expectAgreement(purchase: Purchase): Promise<void> {
  const { sandbox } = buying
  const testimony = await hearWitnesses({
    processor: `${sandbox.processorUrl}/log`,
    shops: `${sandbox.shopsUrl}/log`,
    merchant: `${sandbox.merchantUrl}/log`,
  })
  const problems = contradictions([purchase] as never, testimony, (name) => name.startsWith(purchase.id))
  // Nobody runs a merchant's backend here: what it would remember of its orders is not asked.
  expect(problems.filter((problem) => !problem.includes('its merchant has'))).toEqual([])
}

const held = ['authorize approved', 'void voided']
const bought = ['authorize approved', 'capture approved']

describe.each([3, 4])('of %i merchants', (count) => {
  test.each(Array.from({ length: count }, (_, position) => position))(
    'the one at %i may reject twice, and each retry holds once, captures once in the end, and leaves the others alone',
    async (position) => {
      const { id } = await buying.buy(
        buyer,
        shops.slice(0, count).map(({ url }) => ({ url })),
      )
      const first = await ordered(id)
      for (let other = 0; other < count; other++)
        await answer(first, other, other === position ? 'rejected' : 'confirmed')
      const orders = new Set(first.carts.map(({ order }) => order))
      for (const outcome of ['rejected', 'confirmed'] as const) {
        const failed = await buying.ended(buyer, id)
        expect(failed).toMatchObject({ status: 'failed', actual_amount: 1000 * (count - 1) })
        expect(cartAt(failed, position)).toMatchObject({ status: 'failed', can_retry: true })
        await retry(id)
        const again = await ordered(id)
        orders.add(cartAt(again, position).order)
        await answer(again, position, outcome)
      }
      const done = await buying.ended(buyer, id)
      expect(done).toMatchObject({ status: 'succeeded', actual_amount: 1000 * count })
      expect(orders.size).toBe(count + 2)
      await buying.settled()
      for (const [index, cart] of done.carts.entries())
        expect(await moneyOf(id, cart.id)).toEqual(
          index === position ? [...held, ...held, ...bought] : bought,
        )
      await expectAgreement(done)
    },
  )
})

test('all merchants of a purchase may reject it in turn, and all are retried at once', async () => {
  const { id } = await buying.buy(
    buyer,
    shops.map(({ url }) => ({ url })),
  )
  for (const outcome of ['rejected', 'rejected', 'confirmed'] as const) {
    const purchase = await ordered(id)
    for (const position of shops.keys()) await answer(purchase, position, outcome)
    const ended = await buying.ended(buyer, id)
    expect(ended.status).toBe(outcome === 'confirmed' ? 'succeeded' : 'failed')
    if (outcome === 'rejected') await retry(id)
  }
  await buying.settled()
  await expectAgreement(await buying.read(buyer, id))
})

test('orders of one purchase are refunded in turns, each refund once', async () => {
  const { id } = await buying.buy(
    buyer,
    shops.slice(0, 3).map(({ url }) => ({ url })),
  )
  const purchase = await ordered(id)
  for (const position of [0, 1, 2]) await answer(purchase, position, 'confirmed')
  const done = await buying.ended(buyer, id)
  for (let round = 1; round <= 4; round++) {
    for (const [position, { order }] of done.carts.entries()) {
      const shop = shops[position]
      const refund = await buying.app.post(
        `/v1/merchant/orders/${order}/refunds`,
        { amount: 10 * round },
        { key: shop?.seller.keys.secret_test ?? '' },
      )
      expect([refund.status, refund.body.refunds?.at(-1)?.status], JSON.stringify(refund.body)).toEqual([
        201,
        'succeeded',
      ])
    }
  }
  const { sandbox } = buying
  const testimony = await hearWitnesses({
    processor: `${sandbox.processorUrl}/log`,
    shops: `${sandbox.shopsUrl}/log`,
    merchant: `${sandbox.merchantUrl}/log`,
  })
  for (const { id: cart, order } of done.carts) {
    const { body } = await buying.app.get(`/v1/orders/${order}`, { key: buyer.key })
    expect(body.refunds).toHaveLength(4)
    expect(refundContradictions(`${id}/${cart}`, body.refunds, testimony)).toEqual([])
  }
})
