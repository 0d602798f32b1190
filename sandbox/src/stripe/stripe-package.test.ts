import Stripe from 'stripe'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { controlToken, temporaryFolder } from '../../test/run-sandbox.ts'
import { startStripe } from './stripe-server.ts'

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

const terms = { amount: 4_200, currency: 'usd', capture_method: 'manual' } as const

/** The customer at the page of their bank. */
async function atBank(
  action: Stripe.PaymentIntent.NextAction | Stripe.SetupIntent.NextAction | null,
  says: string,
): Promise<string | null> {
  const page = action?.redirect_to_url?.url
  const answer = await fetch(`${page}/${says}`, { method: 'POST', redirect: 'manual' })
  return answer.headers.get('location')
}

describe('Stripe’s own package', () => {
  test('keeps a card for a customer, who confirms that once', async () => {
    const customer = await stripe.customers.create({ email: 'ada@example.com', metadata: { profile: 'p1' } })
    const setup = await stripe.setupIntents.create({
      customer: customer.id,
      payment_method: 'pm_card_authenticationRequiredOnSetup',
      usage: 'off_session',
      confirm: true,
      return_url: 'https://shop.example/back',
    })
    expect(setup.status).toBe('requires_action')
    expect(await atBank(setup.next_action, 'complete')).toBe(
      `https://shop.example/back?setup_intent=${setup.id}&redirect_status=succeeded`,
    )
    const kept = await stripe.setupIntents.retrieve(setup.id)
    expect(kept.status).toBe('succeeded')
    const { data } = await stripe.paymentMethods.list({ customer: customer.id, type: 'card' })
    expect(data.map(({ id, card }) => [id, card?.last4])).toEqual([[kept.payment_method, '3155']])
    const paid = await stripe.paymentIntents.create({
      ...terms,
      customer: customer.id,
      payment_method: String(kept.payment_method),
      off_session: true,
      confirm: true,
      expand: ['latest_charge'],
    })
    expect(paid.status).toBe('requires_capture')
    const charge = paid.latest_charge as Stripe.Charge
    expect(charge.payment_method_details?.card?.capture_before).toBe(charge.created + 4 * 86_400 + 18 * 3_600)
    const part = await stripe.paymentIntents.capture(paid.id, { amount_to_capture: 4_000 })
    expect([part.status, part.amount_received]).toEqual(['succeeded', 4_000])
    await stripe.refunds.create({ payment_intent: paid.id, amount: 1_500 })
    await stripe.refunds.create({ payment_intent: paid.id })
    await expect(stripe.refunds.create({ payment_intent: paid.id })).rejects.toMatchObject({
      code: 'charge_already_refunded',
    })
  })

  test('finds a customer by what was written on them, and forgets their cards with them', async () => {
    const customer = await stripe.customers.create({ metadata: { profile: 'p2' } })
    await stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id })
    await fetch(`${url}/control/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ delay_ms: 0 }),
    })
    const found = await stripe.customers.search({ query: `metadata['profile']:'p2'` })
    expect(found.data.map(({ id }) => id)).toEqual([customer.id])
    expect(await stripe.customers.del(customer.id)).toMatchObject({ deleted: true })
    expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ deleted: true })
    await expect(
      stripe.paymentMethods.attach('pm_card_visa', { customer: customer.id }),
    ).rejects.toMatchObject({
      code: 'resource_missing',
    })
  })

  test.each([
    [
      'pm_card_visa_chargeDeclinedInsufficientFunds',
      { code: 'card_declined', decline_code: 'insufficient_funds' },
    ],
    ['pm_card_chargeDeclinedExpiredCard', { code: 'expired_card' }],
    ['pm_card_authenticationRequired', { code: 'authentication_required' }],
  ])('is told in Stripe’s words why a card pays nothing: %s', async (payment_method, words) => {
    const intent = await stripe.paymentIntents.create(terms)
    await expect(
      stripe.paymentIntents.confirm(intent.id, { payment_method, off_session: true }),
    ).rejects.toMatchObject({ type: 'StripeCardError', statusCode: 402, ...words })
    const after = await stripe.paymentIntents.retrieve(intent.id)
    expect([after.status, after.last_payment_error?.code, after.payment_method]).toEqual([
      'requires_payment_method',
      words.code,
      null,
    ])
  })

  test('refuses what it does not know, and keeps what was not refused', async () => {
    const count = async () => (await stripe.paymentIntents.list({ limit: 100 })).data.length
    const before = await count()
    const unknown = { ...terms, payment_method_types: ['card'] } as Stripe.PaymentIntentCreateParams
    await expect(stripe.paymentIntents.create(unknown)).rejects.toMatchObject({
      code: 'parameter_unknown',
      param: 'payment_method_types[0]',
    })
    expect(await count()).toBe(before)
  })

  test('sees what it holds, newest first, page by page', async () => {
    const made = []
    for (let n = 0; n < 3; n++) made.push((await stripe.paymentIntents.create(terms)).id)
    const first = await stripe.paymentIntents.list({ limit: 2 })
    expect([first.data.map(({ id }) => id), first.has_more]).toEqual([[made[2], made[1]], true])
    const next = await stripe.paymentIntents.list({ limit: 1, starting_after: made[1] ?? '' })
    expect(next.data.map(({ id }) => id)).toEqual([made[0]])
  })
})
