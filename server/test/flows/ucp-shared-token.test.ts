import { afterAll, afterEach, expect, test } from 'vitest'
import { startSale } from '../../src/domain/selling/sales/public.ts'
import { runAs } from '../../src/platform/calls/run-as.ts'
import { advanceTestClock } from '../../src/platform/clock/test-clock.ts'
import { Secret } from '../../src/platform/secrets/secret.ts'
import { stripeSimulator, stripeTestKey } from '../harness/stripe.ts'
import { paid, paidByShared, startUcpShop } from '../harness/ucp-shop.ts'

/** What platforms buy at merchants of ours with tokens that another payment network has issued. */
const shop = await startUcpShop()
const { buying, ask, create, becomes, orderOf, answerOrder, base, key } = shop
const stripe = stripeSimulator(buying.sandbox)

afterEach(async () => {
  await stripe.clearFaults()
  await buying.audit()
})
afterAll(() => shop.stop())

let workers: { stop(): Promise<void> } | null = null

const complete = (checkout: string, token: string) =>
  ask(`/checkout-sessions/${checkout}/complete`, { body: paidByShared(token) })

/** Every row that a token could have come into, as text. */
async function rowsWith(token: string): Promise<string[]> {
  const tables = await buying.sql<{ name: string }>(
    `select format('%I.%I', schemaname, relname) as name from pg_stat_user_tables order by 1`,
  )
  const found: string[] = []
  for (const { name } of tables) {
    const rows = await buying.sql(
      `select 1 from ${name} as one where one::text like '%' || $1 || '%' limit 1`,
      [token],
    )
    if (rows.length > 0) found.push(name)
  }
  return found
}

test('the profile and each checkout name the handler, and the network that tokens are issued for', async () => {
  const profile = await fetch(`${buying.app.url}${base}/.well-known/ucp`)
  const { ucp } = JSON.parse(await profile.text())
  const config = { network_id: 'profile_test_sandbox' }
  expect(ucp.payment_handlers['com.stripe.payments']).toMatchObject([{ id: 'stripe_payments', config }])
  const made = await create()
  expect(made.ucp.payment_handlers['com.stripe.payments']).toMatchObject([{ id: 'stripe_payments', config }])
})

test('a platform pays with a token: held, confirmed by the merchant, captured once, and the token is gone', async () => {
  const made = await create()
  const token = await stripe.grant()
  const completing = await complete(made.id, token)
  expect([completing.status, completing.body.status]).toEqual([200, 'complete_in_progress'])
  const order = await orderOf(made.id)
  expect(await stripe.moneyOf(order)).toEqual(['confirm 2700 requires_capture'])
  await answerOrder(order, 'confirmed')
  const done = await becomes(made.id, 'completed')
  expect(done.order.id).toBe(order)
  expect(await stripe.moneyOf(order)).toEqual(['confirm 2700 requires_capture', 'capture 2700 succeeded'])
  expect(await buying.moneyOf(order)).toEqual([])
  expect(JSON.stringify([completing.body, done])).not.toContain(token)
  expect(await rowsWith(token)).toEqual([])
  expect(await buying.sql('select 1 from sales where sealed_token is not null')).toEqual([])
  const sold = await buying.app.get(`/v1/merchant/orders/${order}`, { key })
  expect(sold.body).toMatchObject({ status: 'confirmed', payment_status: 'captured' })
})

test('what was captured is refunded where it was captured, once, also when the answer is lost', async () => {
  const made = await create()
  await complete(made.id, await stripe.grant())
  const order = await orderOf(made.id)
  await answerOrder(order, 'confirmed')
  await becomes(made.id, 'completed')
  await stripe.fault('refund', 'lose_answer')
  await shop.post(`/v1/merchant/orders/${order}/refunds`, { amount: 700 })
  const refundsOf = async () =>
    (await buying.app.get(`/v1/merchant/orders/${order}`, { key })).body.refunds.map(
      ({ amount, status }: { amount: number; status: string }) => [amount, status],
    )
  await expect.poll(refundsOf).toEqual([[700, 'succeeded']])
  const money = await stripe.moneyOf(order)
  expect(money.filter((line) => line.startsWith('refund'))).toEqual(['refund 700 succeeded'])
  expect(await buying.moneyOf(order)).toEqual([])
})

test('what the merchant rejects is released, and the token was used', async () => {
  const made = await create()
  const token = await stripe.grant()
  await complete(made.id, token)
  const order = await orderOf(made.id)
  await answerOrder(order, 'rejected')
  await becomes(made.id, 'canceled')
  expect(await stripe.moneyOf(order)).toEqual(['confirm 2700 requires_capture', 'void 2700 succeeded'])
  const other = await create()
  expect((await complete(other.id, token)).body).toMatchObject({
    status: 'ready_for_complete',
    messages: [{ code: 'payment_failed' }],
  })
})

test.each([
  ['a decline', { payment_method: 'pm_card_visa_chargeDeclined' }, 'generic_decline'],
  ['a limit that is too low', { max_amount: 2699 }, ''],
  ['another currency', { currency: 'eur' }, ''],
  [
    'a buyer who would have to act',
    { payment_method: 'pm_card_authenticationRequired' },
    'authentication_required',
  ],
])('%s holds nothing, and another instrument can be tried', async (_, grant, said) => {
  const made = await create()
  const refused = await complete(made.id, await stripe.grant(grant))
  expect(refused.body).toMatchObject({
    status: 'ready_for_complete',
    messages: [{ code: 'payment_failed', content: expect.stringContaining(said) }],
  })
  const again = await ask(`/checkout-sessions/${made.id}/complete`, { body: paid() })
  expect(again.body.status).toBe('complete_in_progress')
  await answerOrder(await orderOf(made.id), 'confirmed')
  await becomes(made.id, 'completed')
})

test.each(['create', 'confirm', 'capture'])('a lost answer of %s ends in one capture', async (operation) => {
  await stripe.searchDelay(0)
  const made = await create()
  await stripe.fault(operation, 'lose_answer')
  await complete(made.id, await stripe.grant())
  await expect
    .poll(
      async () => (await buying.sql('select 1 from orders where id = $1', [await orderOf(made.id)])).length,
    )
    .toBe(1)
  const order = await orderOf(made.id)
  await answerOrder(order, 'confirmed')
  await becomes(made.id, 'completed')
  expect(await stripe.moneyOf(order)).toEqual(['confirm 2700 requires_capture', 'capture 2700 succeeded'])
})

test('what is no token of this form never reaches the rail', async () => {
  const made = await create()
  for (const body of [
    paidByShared('spt_x', 'card'),
    paidByShared('sk_live_1'),
    paidByShared('spt_a/../b'),
    paidByShared(`spt_${'x'.repeat(300)}`),
  ]) {
    const answer = await ask(`/checkout-sessions/${made.id}/complete`, { body })
    expect(answer.body.messages).toMatchObject([{ code: 'payment_failed' }])
    expect(JSON.stringify(answer.body)).not.toContain('sk_live_1')
  }
})

test('a worker without the rail leaves such sales alone, and does the others', async () => {
  await buying.stopWorker()
  const shared = await create()
  const carded = await create()
  const waiting = [
    complete(shared.id, await stripe.grant()),
    ask(`/checkout-sessions/${carded.id}/complete`, { body: paid() }),
  ]
  await expect
    .poll(async () => (await buying.sql(`select 1 from sales where state = 'charging'`)).length)
    .toBe(2)
  const states = () =>
    buying.sql(`select state from sales where order_id = any($1) order by state`, [
      [sharedOrder, cardedOrder],
    ])
  const [sharedOrder, cardedOrder] = [await orderOf(shared.id), await orderOf(carded.id)]
  await buying.workWith({ stripe: {} })
  expect(await states()).toEqual([{ state: 'charging' }, { state: 'ordered' }])
  workers = buying.startWorker()
  await Promise.all(waiting)
  await expect.poll(states).toEqual([{ state: 'ordered' }, { state: 'ordered' }])
})

test('a worker without the rail decides nothing about a refund, which is seen to wait for another one', async () => {
  const made = await create()
  await complete(made.id, await stripe.grant())
  const order = await orderOf(made.id)
  await answerOrder(order, 'confirmed')
  await becomes(made.id, 'completed')
  await workers?.stop()
  await shop.post(`/v1/merchant/orders/${order}/refunds`, { amount: 700 })
  const refunded = async () => (await stripe.moneyOf(order)).filter((line) => line.startsWith('refund'))
  await buying.workWith({ stripe: {} })
  expect(await refunded()).toEqual([])
  expect(await buying.sql(`select step_error from order_refunds where order_id = $1`, [order])).toEqual([
    { step_error: expect.stringContaining('this worker has no rail stripe') },
  ])
  expect(buying.complaints()).toHaveLength(1)
  await advanceTestClock(buying.app.databaseUrl, 60)
  await buying.workWith({})
  expect(await refunded()).toEqual(['refund 700 succeeded'])
})

test('live mode sells by shared tokens without any rail of cards', async () => {
  const { accountId, keys } = await buying.app.newAccount('Live')
  await buying.app.post('/v1/merchant', { name: 'Live', currency: 'USD' }, { key: keys.secret_live })
  const tenant = { accountId, mode: 'live' } as const
  const token = new Secret(await stripe.grant())
  const sold = await runAs(buying.app.parts, { tenant, actor: { type: 'system', id: 'test' } }, async (ctx) =>
    startSale(ctx, {
      id: ctx.newId('sal'),
      merchant: { name: 'Live', slug: null, domain: 'live.example' },
      buyer: { kind: 'payer', profile_url: null, source: 'did:web:agent.example' },
      lineItems: [
        {
          catalog_item_id: null,
          catalog_variant_id: null,
          sku: 'T-1',
          title: 'Thing',
          url: null,
          quantity: 1,
          unit_amount: 700,
          amount: 700,
        },
      ],
      amounts: { subtotal: 700n, fulfillment: 0n, tax: 0n, discount: 0n },
      taxBasisPoints: 0,
      currency: 'USD',
      customer: { name: 'Ada', email: 'ada@example.com', phone: null },
      shippingAddress: null,
      promotionUse: null,
      instrument: { kind: 'shared_payment_token', token },
    }),
  )
  const state = () => buying.sql('select state from sales where id = $1', [sold.id])
  await buying.workWith({})
  expect(await state()).toEqual([{ state: 'charging' }])
  const account = { url: stripe.url, secretKey: new Secret(stripeTestKey), cardholder: null }
  await buying.workWith({ railUrl: null, stripe: { live: account } })
  expect(await state()).toEqual([{ state: 'ordered' }])
  const answer = { outcome: 'confirmed', confirmation_reference: sold.orderId }
  const at = `/v1/merchant/orders/${sold.orderId}/responses`
  expect((await buying.app.post(at, answer, { key: keys.secret_live })).status).toBe(200)
  // On a busy machine the sale may become due a moment after the answer.
  const captured = async () => {
    await buying.workWith({ railUrl: null, stripe: { live: account } })
    return state()
  }
  await expect.poll(captured).toEqual([{ state: 'captured' }])
  expect(await stripe.moneyOf(sold.orderId)).toEqual([
    'confirm 700 requires_capture',
    'capture 700 succeeded',
  ])
})
