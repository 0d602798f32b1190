import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStrangers, type Strangers } from '../../../test/open-strangers.ts'
import { control } from '../../../test/run-sandbox.ts'
import { openShopper } from '../../../test/shopper.ts'
import { openUcpBuyer, type UcpBuyer } from '../../../test/ucp-buyer.ts'

const total = 3240

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

/** Up to the moment before it is paid. */
async function prepare(sku: string, limit = total) {
  const ready = await buyer.choose(await buyer.create(sku), 'standard', { sku })
  return { ready, token: await buyer.issueToken(limit) }
}

async function buy(sku: string) {
  const { ready, token } = await prepare(sku)
  const answer = await buyer.complete(ready, token).then(
    ({ status, body }) => `${status} ${body.status}`,
    () => 'unread',
  )
  const after = await buyer.read(ready)
  return { ready, token, answer, after: after.body, state: await buyer.tokenState(token) }
}

const charged = { status: 'charged', captured: total }
const untouched = { status: 'active', captured: 0 }

test.each([
  ['kettle', '200 completed', 'completed', charged],
  ['declined', '200 incomplete', 'ready_for_complete', untouched],
  ['dies-before-order', 'unread', 'ready_for_complete', untouched],
  ['dies-after-order', 'unread', 'completed', charged],
  ['garbage-at-complete', 'unread', 'completed', charged],
  ['paid-elsewhere', '200 incomplete', 'ready_for_complete', untouched],
  ['escalates-at-complete', '200 requires_escalation', 'requires_escalation', untouched],
  ['never-settles', '200 complete_in_progress', 'complete_in_progress', untouched],
  [
    'held-for-ever',
    '200 complete_in_progress',
    'complete_in_progress',
    { status: 'authorized', captured: 0 },
  ],
  ['asks-more', '200 incomplete', 'ready_for_complete', untouched],
  ['not-allowed', '403 undefined', 'ready_for_complete', untouched],
  ['busy', '503 undefined', 'ready_for_complete', untouched],
])('%s: complete answers %s, then the checkout is %s', async (sku, said, then, state) => {
  const bought = await buy(sku)
  expect([bought.answer, bought.after.status, bought.state]).toEqual([said, then, state])
})

test('what was lost before the order is ordered by the same key, and what was lost after it is not ordered again', async () => {
  for (const sku of ['dies-before-order', 'dies-after-order', 'busy']) {
    const { ready, token } = await prepare(sku)
    const key = `key-of-${sku}`
    const first = await buyer.complete(ready, token, { key }).then(
      ({ status }) => status,
      () => 'lost',
    )
    expect(first).toBe(sku === 'busy' ? 503 : 'lost')
    const again = await buyer.complete(ready, token, { key })
    expect([again.status, again.body.status]).toEqual([200, 'completed'])
    expect(await buyer.tokenState(token)).toEqual(charged)
    const orders = (await strangers.orders('ucp')).filter(({ cartId }) => cartId === ready.body.id)
    expect(orders).toHaveLength(1)
  }
})

test('an unknown or sold-out item makes no checkout, and a quantity beyond the stock can be corrected', async () => {
  for (const [sku, code] of [
    ['nothing', 'item_unavailable'],
    ['sold-out', 'out_of_stock'],
    ['teapot-small-rust', 'out_of_stock'],
  ] as const) {
    const refused = await buyer.create(sku)
    expect(refused).toMatchObject({
      status: 200,
      body: { ucp: { status: 'error' }, messages: [{ code, severity: 'unrecoverable' }] },
    })
    expect(Object.keys(refused.body)).toEqual(['ucp', 'messages'])
  }
  const made = await buyer.create('last-two', {}, { line_items: [{ item: { id: 'last-two' }, quantity: 3 }] })
  expect(made.body).toMatchObject({ status: 'incomplete', messages: [{ code: 'out_of_stock' }, {}] })
  const less = await buyer.choose(made, 'standard', { sku: 'last-two' })
  expect(less.body).toMatchObject({ status: 'ready_for_complete' })
})

test('the catalog says less than the checkout, and a miscounted total is not the sum', async () => {
  const listed = await buyer.ask('POST', '/catalog/lookup', { ids: ['dearer-than-listed'] })
  expect(listed.body).toMatchObject({ products: [{ variants: [{ price: { amount: 2100 } }] }] })
  expect(buyer.totals((await prepare('dearer-than-listed')).ready).total).toBe(total)
  const { subtotal, fulfillment, tax, ...rest } = buyer.totals((await prepare('miscounted')).ready)
  expect([Number(subtotal) + Number(fulfillment) + Number(tax), rest]).toEqual([3240, { total: 3340 }])
})

test('a shop that stumbles over codes counts right without one', async () => {
  expect(buyer.totals((await prepare('miscounts-codes')).ready).total).toBe(total)
  const made = await buyer.create('miscounts-codes', {}, { discounts: { codes: ['NOTHING'] } })
  const { subtotal, tax, ...rest } = buyer.totals(made)
  expect(rest.total).toBe(Number(subtotal) + Number(tax) + Number(rest.fulfillment ?? 0) + 100)
})

test('a checkout can have other goods, more of them, or another currency than was asked for', async () => {
  expect((await buyer.create('swapped')).body).toMatchObject({
    line_items: [{ item: { id: 'refurbished' } }],
  })
  expect((await buyer.create('doubled')).body).toMatchObject({ line_items: [{ quantity: 2 }] })
  expect((await buyer.create('in-euros')).body).toMatchObject({ currency: 'EUR' })
  expect((await prepare('disclosed')).ready.body).toMatchObject({
    status: 'ready_for_complete',
    messages: [{ type: 'warning', presentation: 'disclosure', path: '$.line_items[0]' }],
  })
  expect(buyer.totals((await prepare('free-sample')).ready).total).toBe(0)
})

test('what got dearer at complete is not charged until it is completed once more', async () => {
  const { ready, token } = await prepare('dearer-at-complete', 4000)
  const first = await buyer.complete(ready, token)
  expect(first.body).toMatchObject({ status: 'incomplete', messages: [{ code: 'price_changed' }] })
  expect([buyer.totals(ready).total, buyer.totals(first).total]).toEqual([3240, 3564])
  expect(await buyer.tokenState(token)).toEqual(untouched)
  expect((await buyer.complete(ready, token)).body.status).toBe('completed')
  expect(await buyer.tokenState(token)).toEqual({ status: 'charged', captured: 3564 })
})

test('an order that takes its time is completed two seconds later, and can not be canceled until then', async () => {
  const { ready, token } = await prepare('takes-its-time')
  expect((await buyer.complete(ready, token)).body).toMatchObject({ status: 'complete_in_progress' })
  expect((await buyer.cancel(ready)).body).toMatchObject({ messages: [{ code: 'not_cancelable' }] })
  await expect.poll(async () => (await buyer.read(ready)).body.status).toBe('completed')
  expect(await buyer.tokenState(token)).toEqual(charged)
})

test('a token that is revoked while an order takes its time pays nothing', async () => {
  // More time for a busy machine to revoke it in.
  const late = { match: { operation: 'charge_credential', reference_contains: 'ucp:' }, fault: 'delay=3000' }
  await control(`${strangers.processorUrl}/control/faults`, late)
  const { ready, token } = await prepare('takes-its-time')
  await buyer.complete(ready, token)
  expect(await buyer.revoke(token)).toMatchObject({ status: 'revoked' })
  await expect.poll(async () => (await buyer.read(ready)).body.status).toBe('ready_for_complete')
  expect(await buyer.tokenState(token)).toEqual({ status: 'revoked', captured: 0 })
})

test('what is held for ever is given back when it is canceled', async () => {
  const { ready, token } = await buy('held-for-ever')
  expect((await buyer.cancel(ready)).body).toMatchObject({ status: 'canceled' })
  expect(await buyer.tokenState(token)).toEqual({ status: 'revoked', captured: 0 })
  const { ready: never } = await buy('never-settles')
  expect((await buyer.cancel(never)).body.status).toBe('canceled')
  expect((await buyer.complete(never, token)).body).toMatchObject({ ucp: { status: 'error' } })
})

test.each([
  ['escalates-at-create', 0],
  ['escalates-at-update', 1],
])('%s leads a person to the page of payment with the same goods and address', async (sku, updates) => {
  const made = await buyer.create(sku)
  const seen = updates === 0 ? made : await buyer.choose(made, 'express', { sku })
  expect(seen.body).toMatchObject({ status: 'requires_escalation' })
  expect(seen.body.messages).toMatchObject([{ severity: 'requires_buyer_review' }, ...(updates ? [] : [{}])])
  const shopper = openShopper(strangers.facts)
  const page = await shopper.open(String(seen.body.continue_url))
  expect(page.url.pathname).toBe(updates === 0 ? '/checkout/delivery' : '/checkout/payment')
  if (updates === 0) await shopper.submit('/checkout/delivery', { shipping_method: 'express' })
  expect(shopper.seen.body).toContain('$43.20')
  const card = await strangers.issueCard({ limit: 4320, merchant: 'ucp.shop.test' })
  const typed = { card_number: card.number, card_expiry: card.expiry, card_cvc: card.cvc }
  expect((await shopper.submit('/checkout/payment', typed)).body).toContain('Thank you')
  expect((await buyer.read(made)).body).toMatchObject({ status: 'completed', order: {} })
  expect(await strangers.totals(card)).toBe('0/4320/0')
})

test('the page that a person is sent to may be at another host, ask for everything again, cost more or hold something else', async () => {
  const sent = async (sku: string) => {
    const made = await buyer.create(sku)
    const seen =
      made.body.status === 'requires_escalation' ? made : await buyer.choose(made, 'standard', { sku })
    expect(seen.body).toMatchObject({ status: 'requires_escalation' })
    const shopper = openShopper(strangers.facts)
    return { address: String(seen.body.continue_url), shopper, id: String(made.body.id) }
  }
  for (const [sku, says] of [
    ['escalates-dearer', '$38.88'],
    ['escalates-swapped', 'Refurbished item'],
  ] as const) {
    const { shopper, address } = await sent(sku)
    expect((await shopper.open(address)).body).toContain(says)
  }
  const forgetful = await sent('escalates-forgetful')
  for (const path of ['/checkout/address', '/checkout/address'])
    expect((await forgetful.shopper.open(forgetful.address)).url.pathname).toBe(path)
  const { shopper, address, id } = await sent('escalates-for-review')
  expect(new URL(address).host).toBe('checkout.ucp.shop.test')
  await shopper.open(address)
  expect((await shopper.submit(`/continue/${id}/reviewed`)).body).toContain('Please confirm')
  const paying = await shopper.submit(`/continue/${id}/reviewed`, { reviewed: '1' })
  expect([paying.url.host, paying.url.pathname]).toEqual(['checkout.ucp.shop.test', '/checkout/payment'])
  expect((await sent('escalates-elsewhere')).address).toMatch(/^https:\/\/collect\.evil\.test\//)
  expect((await sent('escalates-in-plain')).address).toMatch(/^http:\/\/ucp\.shop\.test\//)
})

test('a challenge after complete charges what was sent once the person has confirmed it', async () => {
  const { ready, token } = await buy('escalates-at-complete')
  const shopper = openShopper(strangers.facts)
  await shopper.open(String(ready.body.continue_url))
  const done = await shopper.submit(`/continue/${ready.body.id}/confirm`)
  expect(done.body).toContain('Thank you')
  expect(await buyer.tokenState(token)).toEqual(charged)
  expect((await buyer.read(ready)).body.status).toBe('completed')
})

test('an answer that takes 25 seconds does not keep the order from being there', async () => {
  const { ready, token } = await prepare('slow-at-complete')
  const late = buyer.complete(ready, token).catch(() => 'gone')
  await expect.poll(async () => (await buyer.read(ready)).body.status).toBe('completed')
  expect(await Promise.race([late, 'not there'])).toBe('not there')
  expect(await buyer.tokenState(token)).toEqual(charged)
})

test('garbage at create is no JSON, and what is not signed well can be told from what is', async () => {
  await expect(buyer.create('garbage-at-create')).rejects.toThrow('not valid JSON')
  expect((await buyer.create('unsigned')).signed).toBe(false)
  expect((await buyer.create('wrongly-signed')).signed).toBe('invalid')
})

test('no common handler: only what others issue is offered, for a product and under another name', async () => {
  const made = await buyer.create('paid-elsewhere')
  expect(made.body).toMatchObject({ ucp: { payment_handlers: { 'com.example.elsewhere.pay': [{}] } } })
  const host = 'elsewhere.ucp.shop.test'
  const profile = (await buyer.ask('GET', '/.well-known/ucp', undefined, { host })).body
  expect(profile).toMatchObject({ ucp: { payment_handlers: { 'com.example.elsewhere.pay': [{}] } } })
  const elsewhere = await buyer.create('kettle', { host })
  expect(elsewhere.body).toMatchObject({ ucp: { payment_handlers: { 'com.example.elsewhere.pay': [{}] } } })
})
