import { afterAll, afterEach, expect, test } from 'vitest'
import { ucpSchemas } from '../harness/ucp-schemas.ts'
import { paid, startUcpShop, total } from '../harness/ucp-shop.ts'

const shop = await startUcpShop()
const { buying, ask, create, mugs, orderOf, answerOrder, becomes, post, buyer, shipping } = shop
afterEach(() => buying.audit())
afterAll(() => shop.stop())

async function promote(name: string, code: string | null, arm: object, more: object = {}): Promise<string> {
  const terms = { name, code, currency: 'USD', arms: [{ ttl_minutes: 60, ...arm }], ...more }
  const { body } = await post('/v1/promotions', terms)
  await post(`/v1/promotions/${body.id}/publish`)
  return body.id
}

const ten = await promote('A tenth off', '10OFF', { kind: 'percent', value: 1000 })
await promote('Welcome', 'WELCOME20', { kind: 'percent', value: 2000 })
const once = await promote(
  'Five off, once',
  'FIXED500',
  { kind: 'amount', value: 500 },
  { caps: { total_uses: 1 } },
)
await promote('Free shipping', 'FREESHIP', { kind: 'free_fulfillment' })

const usesOf = async (id: string) =>
  (await buying.app.get(`/v1/promotions/${id}`, { key: shop.key })).body.usage

test('codes are applied one after another, and each says what it takes off which line', async () => {
  const made = await create({ discounts: { codes: ['10off', 'WELCOME20', 'FREESHIP'] } })
  expect(made.discounts).toEqual({
    codes: ['10off', 'WELCOME20', 'FREESHIP'],
    applied: [
      {
        code: '10off',
        title: 'A tenth off',
        amount: 200,
        method: 'across',
        priority: 1,
        allocations: [{ path: '$.line_items[0]', amount: 200 }],
      },
      expect.objectContaining({ code: 'WELCOME20', amount: 360, priority: 2 }),
      expect.objectContaining({
        code: 'FREESHIP',
        amount: 500,
        allocations: [{ path: '$.totals.fulfillment', amount: 500 }],
      }),
    ],
  })
  expect([total(made, 'discount'), total(made, 'tax'), total(made)]).toEqual([-1060, 144, 1584])
  expect(
    ucpSchemas('2026-08-25')('schemas/shopping/discount.json#/$defs/dev.ucp.shopping.checkout', made),
  ).toBeNull()
})

test('without a code nothing applies, and a code that is none is a warning', async () => {
  expect((await create()).discounts).toEqual({ codes: [], applied: [] })
  const made = await create({ discounts: { codes: ['NOTHING', '10OFF', '10off'] } })
  expect(made.status).toBe('ready_for_complete')
  expect(made.messages).toEqual([
    expect.objectContaining({ type: 'warning', code: 'discount_code_invalid', path: '$.discounts.codes[0]' }),
    expect.objectContaining({ code: 'discount_code_already_applied', path: '$.discounts.codes[2]' }),
  ])
  expect(made.discounts.applied).toHaveLength(1)
})

test('an order uses every promotion whose code it was bought with, and a rejected order gives them back', async () => {
  const codes = ['10OFF', 'FIXED500']
  const made = await create({ discounts: { codes } })
  await ask(`/checkout-sessions/${made.id}/complete`, { body: paid() })
  const order = await orderOf(made.id)
  const sold = await buying.app.get(`/v1/merchant/orders/${order}`, { key: shop.key })
  expect(total(sold.body, 'discount')).toBe(700)
  expect([(await usesOf(ten)).uses, await usesOf(once)]).toEqual([1, { uses: 1, discount_amount: 500 }])
  const late = await create({ discounts: { codes } })
  expect(late.messages).toMatchObject([{ code: 'discount_code_expired', path: '$.discounts.codes[1]' }])
  await answerOrder(order, 'rejected')
  await becomes(made.id, 'canceled')
  expect([(await usesOf(ten)).uses, (await usesOf(once)).uses]).toEqual([0, 0])
})

test('of two that want the last use, the second sees the new price before it pays', async () => {
  const [first, second] = [
    await create({ discounts: { codes: ['FIXED500'] } }),
    await create({ discounts: { codes: ['FIXED500'] } }),
  ]
  const complete = (id: string) => ask(`/checkout-sessions/${id}/complete`, { body: paid() })
  const answers = await Promise.all([complete(first.id), complete(second.id)])
  expect(answers.map(({ body }) => body.status).toSorted()).toEqual([
    'complete_in_progress',
    'ready_for_complete',
  ])
  const lost = answers.find(({ body }) => body.status === 'ready_for_complete')?.body
  expect(lost.messages).toEqual(expect.arrayContaining([expect.objectContaining({ code: 'price_changed' })]))
  expect((await usesOf(once)).uses).toBe(1)
})

test('an update replaces the codes', async () => {
  const made = await create({ discounts: { codes: ['10OFF'] } })
  const update = (more: object) =>
    ask(`/checkout-sessions/${made.id}`, {
      method: 'PUT',
      body: { line_items: mugs(), buyer, fulfillment: shipping(), ...more },
    })
  expect((await update({ discounts: { codes: [] } })).body.discounts.applied).toEqual([])
  expect(total((await update({ discounts: { codes: ['WELCOME20'] } })).body, 'discount')).toBe(-400)
})
