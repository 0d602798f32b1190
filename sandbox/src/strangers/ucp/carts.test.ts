import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStrangers, type Strangers } from '../../../test/open-strangers.ts'
import { openUcpBuyer, type UcpBuyer } from '../../../test/ucp-buyer.ts'

let strangers: Strangers
let buyer: UcpBuyer
let other: UcpBuyer
beforeAll(async () => {
  strangers = await openStrangers()
  buyer = await openUcpBuyer(strangers)
  other = await openUcpBuyer(strangers)
})
afterAll(async () => {
  await buyer.close()
  await other.close()
  await strangers.close()
})

const lines = (sku: string, quantity: number) => ({ line_items: [{ item: { id: sku }, quantity }] })
const notFound = { ucp: { status: 'error' }, messages: [{ code: 'not_found' }] }

test('a cart estimates, is changed, and becomes a checkout with its goods, once', async () => {
  const made = await buyer.ask('POST', '/carts', {
    ...lines('kettle', 1),
    discounts: { codes: ['WELCOME10'] },
  })
  expect(made).toMatchObject({ status: 201, body: { currency: 'USD' } })
  expect(buyer.totals(made)).toEqual({ subtotal: 2500, discount: -250, total: 2250 })
  const path = `/carts/${made.body.id}`
  const more = await buyer.ask('PUT', path, { ...lines('kettle', 3), buyer: { email: 'ada@example.com' } })
  expect(buyer.totals(more)).toEqual({ subtotal: 7500, total: 7500 })
  expect((await buyer.ask('GET', path)).body).toEqual(more.body)
  const checkout = await buyer.create('last-two', {}, { cart_id: made.body.id, buyer: undefined })
  expect(checkout.body).toMatchObject({
    line_items: [{ item: { id: 'kettle' }, quantity: 3 }],
    buyer: { email: 'ada@example.com' },
  })
  expect((await buyer.create('kettle', {}, { cart_id: made.body.id })).body.id).toBe(checkout.body.id)
  await buyer.cancel(checkout)
  expect((await buyer.create('kettle', {}, { cart_id: made.body.id })).body.id).not.toBe(checkout.body.id)
})

test('a canceled cart, and one of another platform, is not there', async () => {
  const made = await buyer.ask('POST', '/carts', lines('kettle', 1))
  const path = `/carts/${made.body.id}`
  expect((await other.ask('GET', path)).body).toMatchObject(notFound)
  expect((await other.create('kettle', {}, { cart_id: made.body.id })).body).toMatchObject(notFound)
  expect((await buyer.ask('POST', `${path}/cancel`)).body.id).toBe(made.body.id)
  expect((await buyer.ask('GET', path)).body).toMatchObject(notFound)
  expect((await buyer.ask('PUT', path, lines('kettle', 2))).body).toMatchObject(notFound)
  expect((await buyer.create('kettle', {}, { cart_id: made.body.id })).body).toMatchObject(notFound)
  expect((await buyer.ask('POST', '/carts', lines('sold-out', 1))).body).toMatchObject({
    messages: [{ code: 'out_of_stock' }],
  })
})
