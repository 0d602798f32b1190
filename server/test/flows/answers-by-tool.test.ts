import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../harness/app.ts'
import {
  type Deliverer,
  newDestination,
  type Receiver,
  startDeliverer,
  startReceiver,
} from '../harness/deliveries.ts'
import { openShop, placeOrder, type TestShop } from '../harness/orders.ts'
import {
  type Asked,
  askQuote,
  inAnHour,
  openQuotingShop,
  type QuotingShop,
  readAsked,
} from '../harness/quotes.ts'

let app: TestApp
let deliverer: Deliverer
let receiver: Receiver
let shop: QuotingShop
let seller: TestShop
const requests: Asked[] = []
beforeAll(async () => {
  app = await startTestApp()
  deliverer = startDeliverer(app)
  deliverer.worker.start()
  receiver = await startReceiver()
  receiver.answer((response, received) => {
    response.end('ok')
    requests.push(readAsked(received))
  })
  shop = await openQuotingShop(app, receiver)
  seller = await openShop(app, await app.newAccount('Seller'))
})
afterAll(async () => {
  await deliverer.stop()
  await receiver.stop()
  await app.stop()
})

/** Asks for a price and answers with what `by` does, while the buyer waits. */
async function answered(by: (asked: Asked) => Promise<unknown>) {
  const before = requests.length
  const asking = askQuote(app, { catalog_item_id: shop.itemId })
  while (requests.length === before) await new Promise((resolve) => setImmediate(resolve))
  const asked = requests.at(-1)
  if (!asked) throw new Error('nobody was asked')
  await by(asked)
  return (await asking).body
}

const quoteAnswer = (quoteId: string, args: object, key: string | null = shop.key) =>
  app.mcp('v1_create_quote_response', { quote_id: quoteId, ...args }, { key })
const orderAnswer = (orderId: string, args: object, key: string | null = seller.key) =>
  app.mcp('v1_create_order_response', { order_id: orderId, ...args }, { key })

test('a merchant’s agent answers a request for a price with a tool, and the waiting buyer gets it', async () => {
  const offers = [{ total_amount: 1999, expires_at: inAnHour() }]
  const quote = await answered(async (asked) => {
    const taken = await quoteAnswer(asked.quoteId, { outcome: 'quoted', offers })
    expect(taken).toMatchObject({
      status: 200,
      isError: false,
      body: { event_id: asked.eventId, target_id: asked.quoteId, duplicate: false },
    })
  })
  expect(quote).toMatchObject({ status: 'quoted', offers: [{ total_amount: 1999 }] })
})

test('the same answer again is a duplicate with any order of arguments, and another one is a conflict', async () => {
  const offer = { total_amount: 1999, expires_at: inAnHour() }
  await answered(async ({ quoteId }) => {
    const first = await quoteAnswer(quoteId, { outcome: 'quoted', offers: [offer] })
    expect(first.body.duplicate).toBe(false)
    const { total_amount, expires_at } = offer
    const again = await quoteAnswer(quoteId, { offers: [{ expires_at, total_amount }], outcome: 'quoted' })
    expect([again.status, again.body.duplicate]).toEqual([200, true])
    const other = await quoteAnswer(quoteId, { outcome: 'quoted', offers: [{ ...offer, total_amount: 1 }] })
    expect([other.status, other.body.detail.code]).toEqual([409, 'response_conflict'])
  })
})

test('a repeated idempotency key answers again and does nothing twice', async () => {
  const order = await placeOrder(app, app.account, seller)
  const args = { outcome: 'confirmed', confirmation_reference: 'K-1', idempotency_key: 'confirm-k-1' }
  const first = await orderAnswer(order.id, args)
  expect([first.status, first.body.status]).toEqual([200, 'confirmed'])
  expect(await orderAnswer(order.id, args)).toEqual(first)
  const other = await orderAnswer(order.id, { ...args, confirmation_reference: 'K-2' })
  expect([other.status, other.body.detail.code]).toEqual([409, 'idempotency_key_conflict'])
})

test('an order is confirmed or rejected with a tool, once', async () => {
  const [confirmed, rejected] = [
    await placeOrder(app, app.account, seller),
    await placeOrder(app, app.account, seller),
  ]
  const yes = { outcome: 'confirmed', confirmation_reference: 'C-1' }
  expect((await orderAnswer(confirmed.id, yes)).body).toMatchObject({
    status: 'confirmed',
    confirmation_reference: 'C-1',
  })
  expect((await orderAnswer(confirmed.id, yes)).body.status).toBe('confirmed')
  const no = await orderAnswer(confirmed.id, { outcome: 'rejected' })
  expect([no.status, no.body.detail.code]).toEqual([409, 'response_conflict'])
  expect((await orderAnswer(rejected.id, { outcome: 'rejected', note: 'Sold out' })).body.status).toBe(
    'rejected',
  )
  expect((await app.get(`/v1/orders/${rejected.id}`)).body.note).toBe('Sold out')
})

test('only the merchant answers: not a call without a key, a stranger, an agent that shops, or a signature as an argument', async () => {
  const order = await placeOrder(app, app.account, seller)
  const args = { outcome: 'confirmed', confirmation_reference: 'N-1' }
  const destination = await newDestination(app, 'https://hooks.example/orders', {}, seller.key)
  const signed = { service_destination_id: destination.id, service_response_signature: 't=1,v1=00' }
  const { token: agent } = await app.newKey(seller.seller, 'test', 'buyer_agent')
  const refusals: [string, string | null, object, number, string][] = [
    ['no key', null, args, 401, 'unauthorized'],
    ['a signature', null, { ...args, ...signed }, 401, 'unauthorized'],
    ['a stranger', app.stranger.keys.secret_test, args, 404, 'not_found'],
    ['the buyer', app.account.keys.secret_test, args, 404, 'not_found'],
    ['an agent that shops', agent, args, 403, 'insufficient_scope'],
  ]
  for (const [who, key, given, status, code] of refusals) {
    const refused = await orderAnswer(order.id, given, key)
    expect([who, refused.status, refused.body.detail.code]).toEqual([who, status, code])
  }
  const extra = await orderAnswer(order.id, { ...args, ...signed })
  expect([extra.status, extra.body.detail[0]?.type]).toEqual([422, 'extra_forbidden'])
  expect((await app.get(`/v1/orders/${order.id}`)).body.status).toBe('awaiting_confirmation')
})

test('the tools take the form of callers with a key, and name no signature', async () => {
  const { body } = await app.get('/mcp/v1/manifest.json', { key: null })
  const inputs = new Map<string, object>(
    body.tools.map(({ name, inputSchema }: { name: string; inputSchema: { properties: object } }) => [
      name,
      inputSchema.properties,
    ]),
  )
  const fieldsOf = (name: string) => Object.keys(inputs.get(name) ?? {}).sort()
  expect(fieldsOf('v1_create_quote_response')).toEqual(
    ['event_id', 'idempotency_key', 'message', 'offers', 'outcome', 'quote_id', 'required_inputs'].sort(),
  )
  expect(fieldsOf('v1_create_order_response')).toEqual(
    [
      'confirmation_reference',
      'event_id',
      'idempotency_key',
      'note',
      'order_id',
      'outcome',
      'reservation_reference',
    ].sort(),
  )
})
