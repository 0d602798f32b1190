import { Challenge, Receipt } from 'mppx'
import { Mppx, stripe as stripeMethod } from 'mppx/client'
import { afterAll, afterEach, expect, test } from 'vitest'
import { startMppShop } from '../harness/mpp-shop.ts'
import { stripeSimulator } from '../harness/stripe.ts'

/** Payers that have no account here pay over MPP with shared payment tokens, by the library's own method of Stripe. */
const shop = await startMppShop()
const { buying, ask, order, answerOrder, credentialFor } = shop
const stripe = stripeSimulator(buying.sandbox)

afterEach(async () => {
  await stripe.clearFaults()
  await buying.audit()
})
afterAll(() => shop.stop())

/** A payer that gets its tokens from Stripe. */
function payerWith(createToken: (asked: { amount: string; currency: string }) => Promise<string>) {
  return Mppx.create({
    polyfill: false,
    maxPaymentRetries: 1,
    methods: [stripeMethod.charge({ paymentMethod: 'pm_card_visa', createToken })],
  })
}

const send = (payer: ReturnType<typeof payerWith>, body: object) =>
  payer.fetch(`${buying.app.url}${shop.base}/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function stripeChallenge(body: object) {
  const { headers } = await ask('/orders', { body })
  const found = Challenge.fromHeadersList(headers).find(({ method }) => method === 'stripe')
  if (!found) throw new Error('no challenge of Stripe')
  return found
}

test("the library's own method pays: the token is shared for the total, held, and captured when the merchant confirms", async () => {
  const shared: { amount: string; currency: string; networkId?: string }[] = []
  const payer = payerWith(async (asked) => {
    shared.push(asked)
    return await stripe.grant({ currency: asked.currency, max_amount: Number(asked.amount) })
  })
  const response = await send(payer, order())
  expect(response.status).toBe(201)
  // biome-ignore lint/suspicious/noExplicitAny: the assertions are about its shape
  const placed: any = await response.json()
  expect(shared).toMatchObject([{ amount: '2700', currency: 'usd', networkId: 'profile_test_sandbox' }])
  expect(placed.payment).toMatchObject({ method: 'stripe', status: 'authorized' })
  expect(Receipt.fromResponse(response)).toMatchObject({
    method: 'stripe',
    status: 'success',
    externalId: placed.id,
  })
  expect(await stripe.moneyOf(placed.id)).toEqual(['confirm 2700 requires_capture'])
  await answerOrder(placed.id, 'confirmed')
  const money = async () => {
    await buying.relayed()
    return await stripe.moneyOf(placed.id)
  }
  await expect
    .poll(money, { interval: 20 })
    .toEqual(['confirm 2700 requires_capture', 'capture 2700 succeeded'])
  expect(await buying.moneyOf(placed.id)).toEqual([])
})

test('a token that does not cover the total pays nothing, and the payer is asked anew', async () => {
  const response = await send(
    payerWith(() => stripe.grant({ max_amount: 2699 })),
    order(),
  )
  expect(response.status).toBe(402)
  expect(await response.json()).toMatchObject({
    type: 'https://paymentauth.org/problems/verification-failed',
  })
  expect(Challenge.fromHeadersList(response.headers).map(({ method }) => method)).toEqual(['vault', 'stripe'])
})

test('the same payment again is one payment, and a token that was used pays for nothing else', async () => {
  const body = order()
  const challenge = await stripeChallenge(body)
  const spt = await stripe.grant()
  const credential = credentialFor(challenge, { spt })
  const first = await ask('/orders', { body, credential })
  expect(first.status, JSON.stringify(first.body)).toBe(201)
  const again = await ask('/orders', { body, credential })
  expect(again.body).toEqual(first.body)
  expect(again.headers.get('payment-receipt')).toBe(first.headers.get('payment-receipt'))
  expect(await stripe.moneyOf(first.body.id)).toEqual(['confirm 2700 requires_capture'])
  const second = await stripeChallenge(body)
  const stolen = await ask('/orders', { body, credential: credentialFor(second, { spt }) })
  expect([stolen.status, stolen.body.type]).toEqual([
    402,
    'https://paymentauth.org/problems/verification-failed',
  ])
})

test.each([
  ['no token', {}],
  ['a token of the other method', { token: 'spt_1' }],
  ['a token of another form', { spt: 'vtok_test_1' }],
])('%s is no payload of the method', async (_, payload) => {
  const body = order()
  const credential = credentialFor(await stripeChallenge(body), payload)
  const { status, body: problem } = await ask('/orders', { body, credential })
  expect([status, problem.type]).toEqual([402, 'https://paymentauth.org/problems/invalid-payload'])
})

test('an answer that was lost at Stripe is found, and nothing is charged twice', async () => {
  await stripe.fault('confirm', 'lose_answer')
  const body = order()
  const challenge = await stripeChallenge(body)
  const credential = credentialFor(challenge, { spt: await stripe.grant() })
  const paid = async () => (await ask('/orders', { body, credential })).status
  await expect.poll(paid, { interval: 100 }).toBe(201)
  const { body: placed } = await ask('/orders', { body, credential })
  expect(await stripe.moneyOf(placed.id)).toEqual(['confirm 2700 requires_capture'])
})

test('a shared token is in no row, no line of the log, and no answer', async () => {
  const body = order()
  const spt = await stripe.grant()
  const { body: placed } = await ask('/orders', {
    body,
    credential: credentialFor(await stripeChallenge(body), { spt }),
  })
  expect(JSON.stringify([placed, buying.app.lines])).not.toContain(spt)
  const tables = await buying.sql<{ name: string }>(
    `select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables`,
  )
  for (const { name } of tables) {
    const rows = await buying.sql(`select 1 from ${name} as one where one::text like '%' || $1 || '%'`, [spt])
    expect([name, rows]).toEqual([name, []])
  }
})
