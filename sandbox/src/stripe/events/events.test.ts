import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import Stripe from 'stripe'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { control, controlToken, type Json, temporaryFolder } from '../../../test/run-sandbox.ts'
import { startStripe } from '../stripe-server.ts'

const state = temporaryFolder()
let url: string
let close: () => Promise<void>
let stripe: Stripe
let endpoint: Stripe.WebhookEndpoint
/** What the account got, and what it answers. */
let got: Stripe.Event[] = []
let status = 200
const account = createServer((request, response) => void receive(request, response))

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const signature = String(request.headers['stripe-signature'])
  got.push(stripe.webhooks.constructEvent(Buffer.concat(chunks), signature, endpoint.secret ?? ''))
  response.writeHead(status).end()
}

async function start(): Promise<void> {
  const server = await startStripe({ stateDir: state.path, port: 0, controlToken })
  ;({ url, close } = server)
  const { hostname: host, port } = new URL(url)
  stripe = new Stripe('sk_test_sandbox', { host, port, protocol: 'http', maxNetworkRetries: 0 })
}

beforeAll(async () => {
  await start()
  await new Promise<void>((resolve) => account.listen(0, '127.0.0.1', resolve))
})
beforeEach(async () => {
  got = []
  status = 200
  const address = account.address()
  const port = typeof address === 'object' ? address?.port : 0
  endpoint = await stripe.webhookEndpoints.create({
    url: `http://127.0.0.1:${port}/in`,
    enabled_events: ['*'],
  })
})
afterEach(async () => {
  await control(`${url}/control/webhooks`, { deliver: 'once', retry_ms: 250 })
  await stripe.webhookEndpoints.del(endpoint.id)
})
afterAll(async () => {
  await close()
  account.close()
  state.remove()
})

/** A charge that another account is paid for, with nobody to confirm it. */
async function charged(more: Partial<Stripe.PaymentIntentCreateParams> = {}) {
  const intent = await stripe.paymentIntents.create({
    amount: 4_200,
    currency: 'usd',
    payment_method: 'pm_card_visa',
    confirm: true,
    transfer_data: { destination: 'acct_shop' },
    expand: ['latest_charge'],
    ...more,
  })
  const charge = intent.latest_charge as Stripe.Charge
  return { intent, charge, transfer: String(charge.transfer) }
}

async function disputed(intent: string, more: Json = {}): Promise<string> {
  const { body } = await control(`${url}/control/disputes`, { payment_intent: intent, ...more })
  return String(body.id)
}

const become = (dispute: string, to: string) => control(`${url}/control/disputes/${dispute}`, { status: to })

const typesGot = (count: number) =>
  vi.waitFor(() => {
    expect(got.length).toBeGreaterThanOrEqual(count)
    return got.map(({ type }) => type)
  })

test('an account is told, signed, what became of a payment, and can read the same later', async () => {
  const intent = await stripe.paymentIntents.create({
    amount: 4_200,
    currency: 'usd',
    capture_method: 'manual',
  })
  await expect(
    stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa_chargeDeclined' }),
  ).rejects.toMatchObject({ code: 'card_declined' })
  await stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' })
  await stripe.paymentIntents.capture(intent.id)
  await stripe.refunds.create({ payment_intent: intent.id, amount: 200 })
  const told = [
    'payment_intent.created',
    'payment_intent.payment_failed',
    'charge.succeeded',
    'payment_intent.amount_capturable_updated',
    'charge.captured',
    'payment_intent.succeeded',
    'refund.created',
    'charge.refunded',
  ]
  expect((await typesGot(told.length)).toSorted()).toEqual(told.toSorted())
  const listed = await stripe.events.list({ limit: told.length })
  expect(listed.data.map(({ type }) => type).toReversed()).toEqual(told)
  const refunded = listed.data[0] as Stripe.Event
  expect(refunded.data.object).toMatchObject({
    object: 'charge',
    payment_intent: intent.id,
    amount_refunded: 200,
  })
  expect(await stripe.events.retrieve(refunded.id)).toMatchObject({
    id: refunded.id,
    type: 'charge.refunded',
  })
  // As it was then, whatever came after it.
  expect(listed.data.at(-1)?.data.object).toMatchObject({ status: 'requires_payment_method' })
})

test('events are read page by page, by their types, from a known one on, and not after thirty days', async () => {
  const [first] = (await stripe.events.list({ limit: 1 })).data
  await charged()
  await charged()
  const types = ['payment_intent.succeeded']
  const older = await stripe.events.list({ limit: 1, ending_before: first?.id ?? '' })
  expect([older.data.map(({ type }) => type), older.has_more]).toEqual([['payment_intent.created'], true])
  const both = await stripe.events.list({ types, limit: 2 })
  expect(both.data.map(({ type }) => type)).toEqual([types[0], types[0]])
  const { port } = new URL(url)
  const other = new Stripe('sk_live_sandbox', { host: '127.0.0.1', port, protocol: 'http' })
  expect((await other.events.list()).data).toEqual([])
  await control(`${url}/control/clock`, { forward_seconds: 31 * 86_400 })
  expect((await stripe.events.list()).data).toEqual([])
  await charged()
  expect((await stripe.events.list()).data.length).toBeGreaterThan(0)
})

test('an endpoint is told of the types that it has asked for, until it answers, and no more once it is gone', async () => {
  await control(`${url}/control/webhooks`, { retry_ms: 5 })
  await stripe.webhookEndpoints.update(endpoint.id, { enabled_events: ['payment_intent.succeeded'] })
  expect((await stripe.webhookEndpoints.list()).data[0]).not.toHaveProperty('secret')
  status = 500
  await charged()
  await typesGot(3)
  status = 200
  const after = got.length
  await typesGot(after + 1)
  expect(new Set(got.map(({ type, id }) => `${type} ${id}`)).size).toBe(1)
  await stripe.webhookEndpoints.update(endpoint.id, { disabled: true })
  await charged()
  expect(got).toHaveLength(after + 1)
})

test('events come twice, before the answer, late, and in the wrong order, when a test wants that', async () => {
  const types: Stripe.WebhookEndpointCreateParams.EnabledEvent[] = ['payment_intent.succeeded']
  await stripe.webhookEndpoints.update(endpoint.id, { enabled_events: types })
  await control(`${url}/control/webhooks`, { deliver: 'early' })
  await charged()
  expect(got).toHaveLength(1)
  await control(`${url}/control/webhooks`, { deliver: 'twice' })
  await charged()
  await typesGot(3)
  expect(got[2]?.id).toBe(got[1]?.id)
  await control(`${url}/control/webhooks`, { deliver: 'held' })
  const [one, two] = [await charged(), await charged()]
  expect(got).toHaveLength(3)
  const { body } = await control(`${url}/control/webhooks/release`, { reversed: true })
  expect(body).toEqual({ released: 2 })
  expect(got.slice(3).map(({ data }) => (data.object as Stripe.PaymentIntent).id)).toEqual([
    two.intent.id,
    one.intent.id,
  ])
})

test('a bank takes the money of a charge, and gives it back to who wins', async () => {
  const { intent, charge } = await charged()
  const id = await disputed(intent.id, { amount: 4_000, reason: 'product_not_received' })
  const open = await stripe.disputes.retrieve(id)
  expect(open).toMatchObject({
    amount: 4_000,
    charge: charge.id,
    payment_intent: intent.id,
    reason: 'product_not_received',
    status: 'needs_response',
    is_charge_refundable: false,
    balance_transactions: [{ amount: -4_000, fee: 1_500, net: -5_500 }],
  })
  expect(open.evidence_details.due_by).toBe(open.created + 7 * 86_400)
  await expect(stripe.refunds.create({ payment_intent: intent.id })).rejects.toMatchObject({
    code: 'charge_disputed',
  })
  await become(id, 'under_review')
  await become(id, 'won')
  const won = await stripe.disputes.retrieve(id)
  expect(won.balance_transactions.map(({ amount }) => amount)).toEqual([-4_000, 4_000])
  expect((await become(id, 'lost')).status).toBe(409)
  await stripe.refunds.create({ payment_intent: intent.id })
  expect((await stripe.disputes.list({ payment_intent: intent.id })).data.map((one) => one.id)).toEqual([id])
  const about = (await stripe.events.list({ limit: 20 })).data.filter(({ type }) => type.includes('dispute'))
  expect(about.map(({ type }) => type.replace('charge.dispute.', '')).toReversed()).toEqual([
    'created',
    'funds_withdrawn',
    'updated',
    'funds_reinstated',
    'closed',
  ])
})

test('a question of a bank takes nothing, unless it becomes a dispute that is lost', async () => {
  const { intent } = await charged()
  const id = await disputed(intent.id, { status: 'warning_needs_response' })
  expect(await stripe.disputes.retrieve(id)).toMatchObject({
    is_charge_refundable: true,
    balance_transactions: [],
  })
  await become(id, 'needs_response')
  await become(id, 'lost')
  const lost = await stripe.disputes.retrieve(id)
  expect(lost.balance_transactions.map(({ amount }) => amount)).toEqual([-4_200])
  expect(lost.evidence_details.due_by).toBeNull()
  const held = await stripe.paymentIntents.create({
    amount: 100,
    currency: 'usd',
    capture_method: 'manual',
    payment_method: 'pm_card_visa',
    confirm: true,
  })
  expect((await control(`${url}/control/disputes`, { payment_intent: held.id })).status).toBe(409)
})

test('what another account was paid is taken back in parts, once for a key, and never more than it got', async () => {
  const { intent, transfer } = await charged()
  expect(await stripe.transfers.retrieve(transfer)).toMatchObject({ amount: 4_200, destination: 'acct_shop' })
  const take = (amount: number, key: string) =>
    stripe.transfers.createReversal(transfer, { amount, metadata: { key } }, { idempotencyKey: key })
  const first = await take(1_000, 'r-1')
  expect((await take(1_000, 'r-1')).id).toBe(first.id)
  await stripe.refunds.create({ payment_intent: intent.id, amount: 200, reverse_transfer: true })
  await expect(take(3_001, 'r-2')).rejects.toMatchObject({ param: 'amount' })
  await take(3_000, 'r-3')
  expect(await stripe.transfers.retrieve(transfer)).toMatchObject({ amount_reversed: 4_200, reversed: true })
  await expect(take(1, 'r-4')).rejects.toMatchObject({ code: 'transfer_already_reversed' })
  const { data } = await stripe.transfers.listReversals(transfer)
  expect(data.map(({ amount, metadata }) => [amount, metadata?.key])).toEqual([
    [3_000, 'r-3'],
    [200, undefined],
    [1_000, 'r-1'],
  ])
  const given = { amount: 1_000, currency: 'usd', destination: 'acct_shop' }
  const again = await stripe.transfers.create({ ...given, transfer_group: 'g' })
  expect((await stripe.transfers.list({ transfer_group: 'g' })).data.map(({ id }) => id)).toEqual([again.id])
})

test('an account that has paid its money out gives nothing back, and everything outlives the process', async () => {
  const { intent, transfer } = await charged()
  const id = await disputed(intent.id)
  await control(`${url}/control/accounts`, { id: 'acct_shop', available: 99 })
  await expect(stripe.transfers.createReversal(transfer, { amount: 100 })).rejects.toMatchObject({
    code: 'balance_insufficient',
  })
  await stripe.transfers.createReversal(transfer, { amount: 99 })
  const events = await stripe.events.list({ limit: 100 })
  await close()
  await start()
  expect((await stripe.events.list({ limit: 100 })).data).toEqual(events.data)
  expect(await stripe.disputes.retrieve(id)).toMatchObject({ status: 'needs_response' })
  expect(await stripe.transfers.retrieve(transfer)).toMatchObject({ amount_reversed: 99 })
  await expect(stripe.transfers.createReversal(transfer, { amount: 1 })).rejects.toMatchObject({
    code: 'balance_insufficient',
  })
})

test('refuses what it does not know', async () => {
  const unknown = { limit: 1, delivery_success: true }
  await expect(stripe.events.list(unknown)).rejects.toMatchObject({ code: 'parameter_unknown' })
  await expect(stripe.disputes.retrieve('du_nobody')).rejects.toMatchObject({ statusCode: 404 })
  await expect(stripe.transfers.retrieve('tr_nobody')).rejects.toMatchObject({ statusCode: 404 })
  await expect(
    stripe.webhookEndpoints.create({ url: 'http://127.0.0.1:1/', enabled_events: ['*'], connect: true }),
  ).rejects.toMatchObject({ code: 'parameter_unknown' })
})
