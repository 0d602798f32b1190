import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStrangers, type Strangers } from '../../../test/open-strangers.ts'
import { cardTyped, goToPayment, totalShown } from '../../../test/shopper.ts'
import { openUcpBuyer, type UcpBuyer } from '../../../test/ucp-buyer.ts'

let strangers: Strangers
let buyer: UcpBuyer
beforeAll(async () => {
  strangers = await openStrangers()
  buyer = await openUcpBuyer(strangers)
})
afterAll(async () => {
  await buyer.close()
  await strangers.close()
})

test('a kettle is found, priced, delivered and paid with a token: authorized as the shop, then captured', async () => {
  const found = await buyer.ask('POST', '/catalog/lookup', { ids: ['https://ucp.shop.test/products/kettle'] })
  expect(found.body).toMatchObject({
    products: [{ id: 'prod_kettle', variants: [{ id: 'kettle', inputs: [{ match: 'exact' }] }] }],
  })
  const made = await buyer.create('kettle')
  expect(made).toMatchObject({
    status: 201,
    signed: true,
    body: {
      ucp: {
        version: '2026-08-25',
        status: 'success',
        payment_handlers: { 'test.pay.processor_token': [{}] },
      },
      status: 'incomplete',
      messages: [{ path: '$.fulfillment.methods[0].groups[0].selected_option_id', severity: 'recoverable' }],
    },
  })
  const ready = await buyer.choose(made, 'express')
  expect(ready.body).toMatchObject({ status: 'ready_for_complete', messages: [] })
  expect(buyer.totals(ready)).toEqual({ subtotal: 2500, fulfillment: 1500, tax: 320, total: 4320 })
  const token = await buyer.issueToken(4320)
  const done = await buyer.complete(ready, token)
  expect(done).toMatchObject({ status: 200, signed: true, body: { status: 'completed', order: {} } })
  expect(JSON.stringify(done.body)).not.toContain(token)
  expect(await buyer.tokenState(token)).toEqual({ status: 'charged', captured: 4320 })
  expect(await buyer.calls()).toEqual([
    'lookup_catalog answered true',
    'create_checkout incomplete true',
    'update_checkout ready_for_complete true',
    'complete_checkout completed true',
  ])
  expect(await strangers.orders('ucp')).toMatchObject([
    { state: 'paid', email: 'ada@example.com', address: { city: 'Springfield' }, captured: 4320 },
  ])
})

test('a virtual card pays by its id as well', async () => {
  const ready = await buyer.choose(await buyer.create('kettle'))
  const card = await strangers.issueCard({ limit: 3240, merchant: 'ucp.shop.test' })
  expect(await buyer.complete(ready, card.id)).toMatchObject({ body: { status: 'completed' } })
  expect(await strangers.totals(card)).toBe('0/3240/0')
})

test('the same key with the same bytes is the same answer and one order; with others it is 409', async () => {
  const ready = await buyer.choose(await buyer.create('kettle'))
  const token = await buyer.issueToken(3240)
  const key = randomUUID()
  const both = await Promise.all([
    buyer.complete(ready, token, { key }),
    buyer.complete(ready, token, { key }),
  ])
  expect(both[0].body).toEqual(both[1].body)
  expect(both[0].body).toMatchObject({ status: 'completed' })
  expect(await buyer.complete(ready, 'cred_other', { key })).toMatchObject({
    status: 409,
    body: { code: 'idempotency_conflict' },
  })
  const instrument = {
    type: 'card',
    handler_id: 'processor_token',
    credential: { type: 'token', token },
    id: 'pi_1',
  }
  const rewritten = { payment: { instruments: [{ selected: true, ...instrument }] } }
  expect(
    await buyer.ask('POST', `/checkout-sessions/${ready.body.id}/complete`, rewritten, { key }),
  ).toMatchObject({
    status: 409,
  })
  expect(await buyer.complete(ready, token)).toMatchObject({ body: { order: both[0].body.order } })
  expect((await strangers.orders('ucp')).filter(({ cartId }) => cartId === ready.body.id)).toHaveLength(1)
})

test('the page of a product says what it is, and sells it to a browser as any shop does', async () => {
  const shopper = strangers.shopper()
  const seen = await goToPayment(shopper, 'https://ucp.shop.test/products/kettle')
  expect(totalShown(seen)).toBe(3240)
  const card = await strangers.issueCard({ limit: 3240, merchant: 'ucp.shop.test' })
  expect((await shopper.submit('/checkout/payment', cardTyped(card))).body).toContain('Thank you')
  expect(await strangers.totals(card)).toBe('0/3240/0')
  const page = (await shopper.open('https://ucp.shop.test/products/teapot?variant=teapot-large-sage')).body
  expect(page).toContain('"url":"https://ucp.shop.test/products/teapot?variant=teapot-large-sage"')
  expect(page).toContain('<option value="Large" selected>')
})
