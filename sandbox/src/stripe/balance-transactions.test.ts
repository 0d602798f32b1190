import Stripe from 'stripe'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { controlToken, temporaryFolder } from '../../test/run-sandbox.ts'
import { startStripe } from './stripe-server.ts'

/** What moved the balance, as Stripe’s own package reads it. */
const state = temporaryFolder()
let close: () => Promise<void>
let url: string
let stripe: Stripe
beforeAll(async () => {
  const server = await startStripe({ stateDir: state.path, port: 0, controlToken })
  ;({ close, url } = server)
  const { hostname: host, port } = new URL(server.url)
  stripe = new Stripe('sk_test_sandbox', { host, port, protocol: 'http', maxNetworkRetries: 0 })
})
afterAll(async () => {
  await close()
  state.remove()
})

async function forward(forward_seconds: number): Promise<void> {
  await fetch(`${url}/control/clock`, {
    method: 'POST',
    headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ forward_seconds }),
  })
}

function held(more: Partial<Stripe.PaymentIntentCreateParams> = {}) {
  return stripe.paymentIntents.create({
    amount: 1_000,
    currency: 'usd',
    capture_method: 'manual',
    confirm: true,
    payment_method: 'pm_card_visa',
    metadata: { mine: 'yes' },
    ...more,
  })
}

test('a capture in part is a charge and its rest taken back, a refund one entry, and a hold none', async () => {
  const intent = await held()
  await held()
  await stripe.paymentIntents.capture(intent.id, { amount_to_capture: 700 })
  const refund = await stripe.refunds.create({
    payment_intent: intent.id,
    amount: 200,
    metadata: { of: 'r' },
  })
  const { data } = await stripe.balanceTransactions.list({ expand: ['data.source'] })
  const told = data.map(({ reporting_category, type, amount, fee, net }) => [
    reporting_category,
    type,
    amount,
    fee,
    net,
  ])
  expect(told).toEqual([
    ['refund', 'refund', -200, 0, -200],
    ['partial_capture_reversal', 'refund', -300, 0, -300],
    ['charge', 'charge', 1_000, 50, 950],
  ])
  expect(data.map(({ source }) => (source as { metadata: object }).metadata)).toEqual([
    { of: 'r' },
    {},
    { mine: 'yes' },
  ])
  const charged = await stripe.paymentIntents.retrieve(intent.id, {
    expand: ['latest_charge.balance_transaction'],
  })
  expect((charged.latest_charge as Stripe.Charge).balance_transaction).toMatchObject({ id: data[2]?.id })
  const given = await stripe.refunds.retrieve(refund.id, { expand: ['balance_transaction'] })
  expect(given.balance_transaction).toMatchObject({ id: data[0]?.id, created: data[0]?.created })
})

test('what a merchant is paid and gives back stands beside it, and the sum is what the account keeps', async () => {
  const from = Math.floor(Date.now() / 1000) + 86_400
  await forward(86_400)
  const intent = await held({ transfer_data: { destination: 'acct_1' }, on_behalf_of: 'acct_1' })
  await stripe.paymentIntents.capture(intent.id)
  await stripe.refunds.create({ payment_intent: intent.id, amount: 400, reverse_transfer: true })
  const { data } = await stripe.balanceTransactions.list({ created: { gte: from }, limit: 100 })
  expect(data.map(({ reporting_category }) => reporting_category).sort()).toEqual([
    'charge',
    'refund',
    'transfer',
    'transfer_reversal',
  ])
  expect(data.reduce((sum, { net }) => sum + net, 0)).toBe(-59)
})

test('a range ends before its end, a page follows the last one, and nothing else is understood', async () => {
  const from = Math.floor(Date.now() / 1000) + 10 * 86_400
  await forward(9 * 86_400)
  for (let n = 0; n < 3; n++) await stripe.paymentIntents.capture((await held()).id)
  const created = { gte: from, lt: from + 3_600 }
  const first = await stripe.balanceTransactions.list({ created, limit: 2 })
  const last = await stripe.balanceTransactions.list({
    created,
    limit: 2,
    starting_after: String(first.data[1]?.id),
  })
  expect([first.data.length, first.has_more, last.data.length, last.has_more]).toEqual([2, true, 1, false])
  expect((await stripe.balanceTransactions.list({ created: { gte: from + 3_600 } })).data).toEqual([])
  expect((await stripe.balanceTransactions.list({ created: { gte: 0, lt: from } })).data.length).toBe(7)
  await expect(stripe.balanceTransactions.list({ currency: 'usd' })).rejects.toMatchObject({
    code: 'parameter_unknown',
  })
})
