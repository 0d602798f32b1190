import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import { verifyFlattened } from '../../src/platform/signatures/flattened-jws.ts'
import { hasChromium } from '../harness/browser.ts'
import { type Buyer, type Buying, type Purchase, startBuying } from '../harness/buying.ts'
import { answerOrder, type NativeShop, openNativeShop } from '../harness/native-shops.ts'
import { person } from '../harness/person.ts'
import { openStrangers } from '../harness/strangers.ts'

/** Purchases that the whole product has made: what their bundles tell of money, orders and pages. */
let buying: Buying
let shop: NativeShop

beforeAll(async () => {
  buying = await startBuying({ testClock: true, strangers: true, pages: hasChromium })
  await installTestClock(buying.app.databaseUrl)
  shop = await openNativeShop(buying)
  await openStrangers(buying).know('classic.shop.test', 'browser')
})
afterAll(() => buying?.stop())

// biome-ignore lint/suspicious/noExplicitAny: tests assert on the shape
async function bundle({ key }: Buyer, id: string): Promise<any> {
  const { app } = buying
  const { status, body } = await app.get(`/v1/purchase_intents/${id}/evidence_bundle`, { key })
  expect(status, JSON.stringify(body)).toBe(200)
  const keys = await app.parts.signingKeys.lasting()
  const verified = verifyFlattened(body, keys, 'prokura-evidence-bundle+json')
  if (!verified.ok) throw new Error(verified.fault)
  return JSON.parse(verified.payload.toString())
}

async function boughtAtOurMerchant(buyer: Buyer): Promise<{ id: string; order: string }> {
  const { id } = await buying.buy(buyer, [{ url: shop.url, quantity: 2 }])
  const { carts } = await buying.until(buyer, id, (intent) => Boolean(intent.carts[0]?.order))
  const order = String(carts[0]?.order)
  await answerOrder(buying, shop, order, 'confirmed')
  await buying.ended(buyer, id)
  return { id, order }
}

const asSeller = (order: string, path: string, body: object) =>
  buying.app.post(`/v1/merchant/orders/${order}/${path}`, body, { key: shop.seller.keys.secret_test })

test('a purchase at a merchant of ours: its order, what was sent, and every movement of its money by the name that the rail knows', async () => {
  const buyer = await buying.newBuyer()
  const { id, order } = await boughtAtOurMerchant(buyer)
  const parcel = { status: 'shipped', carrier: 'DHL', tracking_number: 'JD014600' }
  expect((await asSeller(order, 'fulfillments', parcel)).status).toBeLessThan(300)
  expect((await asSeller(order, 'refunds', { amount: 500, reason: 'Cracked' })).status).toBeLessThan(300)
  const refunded = (one: Purchase) => one.refunded_amount === 500
  await buying.until(buyer, id, refunded)
  const said = await bundle(buyer, id)
  const [cart] = said.carts
  expect(cart).toMatchObject({
    channel: 'native',
    status: 'succeeded',
    order_id: `C-${order}`,
    actual_amount: 2000,
  })
  expect(cart.offers.at(-1)).toMatchObject({ attempt_number: 1, subtotal: 2000, total: 2000 })
  expect(cart.orders).toEqual([(await buying.app.get(`/v1/orders/${order}`, { key: buyer.key })).body])
  expect(cart.orders[0].fulfillments).toMatchObject([{ tracking_number: 'JD014600' }])
  const log = (await buying.sandbox.processorLog()).filter(({ reference }) => reference?.includes(id))
  expect(log.map(({ operation }) => operation)).toEqual(['authorize', 'capture', 'refund'])
  const { holds, calls, refunds } = said.money
  expect(holds).toMatchObject([
    { cart_id: cart.id, kind: 'authorization', status: 'captured', amount: 2000, captured_amount: 2000 },
  ])
  expect(calls.map(({ step, state }: { step: string; state: string }) => [step, state])).toEqual([
    ['authorize', 'done'],
    ['place', 'done'],
    ['capture', 'done'],
  ])
  expect(calls.at(-1)).toMatchObject({ amount: 2000, reference: holds[0].capture_reference })
  expect(refunds).toMatchObject([{ order, amount: 500, status: 'succeeded', reference: expect.any(String) }])
  // The processor answers to the names that the bundle has.
  const known = await fetch(`${buying.sandbox.processorUrl}/v1/authorizations/${holds[0].reference}`)
  expect([known.status, ((await known.json()) as { status: string }).status]).toEqual([200, 'captured'])
})

/** A purchase whose payment waits for its person at their bank, and what they answer there. */
async function answeredAtBank(answer: 'confirmed' | 'refused') {
  const buyer = await buying.newBuyer('visa_3ds_required')
  const { id } = await buying.buy(buyer, [{ url: 'https://shop.example/thing?scenario=none' }])
  const asked = (one: Purchase) => (one.next_action as { type?: string } | null)?.type === 'verify_payment'
  const { next_action } = await buying.until(buyer, id, asked)
  const { url, cart_id } = next_action as { url: string; cart_id: string }
  const before = await bundle(buyer, id)
  expect(before.decision.confirmed_payments).toEqual([])
  expect(JSON.stringify(before)).not.toContain(url)
  await fetch(url, { method: 'POST', body: new URLSearchParams({ answer }) })
  buying.passInProcess(30)
  await advanceTestClock(buying.app.databaseUrl, 30)
  const { status } = await buying.ended(buyer, id)
  return { status, cart_id, ...(await bundle(buyer, id)) }
}

test('a payment that its person has confirmed at their bank says when they were asked and when they did', async () => {
  const { status, cart_id, decision, events } = await answeredAtBank('confirmed')
  expect(status).toBe('succeeded')
  const at = (type: string) => events.findLast((one: { type: string }) => one.type === type)?.created_at
  expect(decision.confirmed_payments).toEqual([
    {
      cart_id,
      asked_at: at('purchase_intent.awaiting_approval'),
      confirmed_at: at('cart.payment_authorized'),
    },
  ])
  expect(decision.approvals).toHaveLength(1)
})

test('a payment that its person has refused there is none that they have confirmed', async () => {
  const { status, decision, money } = await answeredAtBank('refused')
  expect([status, decision.confirmed_payments, money.holds]).toEqual(['failed', [], []])
})

test('a purchase that the issuer of its card declined has the code of the decline, and nothing that was held', async () => {
  const declined = await buying.newBuyer('visa_issuer_declined')
  const { id } = await buying.buy(declined, [{ url: 'https://shop.example/thing?scenario=none' }])
  await buying.ended(declined, id)
  const said = await bundle(declined, id)
  expect(said.purchase).toMatchObject({ status: 'failed', actual_amount: 0 })
  expect(said.money).toMatchObject({
    holds: [],
    refunds: [],
    calls: [{ step: 'issue_credential', state: 'refused', decline_code: expect.any(String) }],
  })
})

describe.skipIf(!hasChromium)('a purchase at a shop that has only pages', () => {
  test('names its pictures by the digests of what can be downloaded, and its card by no number', async () => {
    const buyer = await buying.newBuyer('visa_auto_approved', undefined, {
      ...person,
      email: 'ada@example.com',
    })
    const url = 'https://classic.shop.test/product/kettle'
    const { id } = await buying.buy(buyer, [{ url, amount: 4_900 }], {
      preferences: { fulfillment: { max_fee_amount: 900 } },
      max_amount: 60_000,
    })
    const { status } = await buying.ended(buyer, id)
    expect(status).toBe('succeeded')
    const said = await bundle(buyer, id)
    const { data } = (await buying.app.get(`/v1/purchase_intents/${id}/evidence`, { key: buyer.key })).body
    expect(data.length).toBeGreaterThan(3)
    const [{ pictures, order_id }] = said.carts
    expect(order_id).toEqual(expect.any(String))
    expect(pictures.map(({ id, sha256 }: Record<string, string>) => [id, sha256])).toEqual(
      data.map(({ id, sha256 }: Record<string, string>) => [id, sha256]),
    )
    expect(said.money.holds).toMatchObject([
      { kind: 'credential', status: 'captured', reference: expect.any(String) },
    ])
    expect(JSON.stringify(said)).not.toMatch(/\b\d{13,19}\b|"cvc":|vault_record/)
  })
})

/** The tables that a bundle is read from, in the order in which they refer to each other, each with what tells a twin. */
const twinned: readonly [string, Record<string, unknown>][] = [
  ['profiles', { last_name: 'TWIN' }],
  ['payment_methods', { card_last4: '6666' }],
  ['purchase_intents', { reference_id: 'TWIN' }],
  ['carts', { merchant_name: 'TWIN' }],
  ['orders', { note: 'TWIN' }],
  ['order_refunds', { reference: 'TWIN' }],
  ['effects', { rail: 'TWIN' }],
  ['authorizations', { reference: 'TWIN' }],
  ['purchase_evidence', { url_host: 'TWIN' }],
  ['event_rows', { actor_id: 'TWIN' }],
]

test('rows of other accounts and of the other mode under the same ids are in no bundle', async () => {
  const buyer = await buying.newBuyer()
  const { id, order } = await boughtAtOurMerchant(buyer)
  expect((await asSeller(order, 'refunds', { amount: 500 })).status).toBeLessThan(300)
  await buying.until(buyer, id, (one) => one.refunded_amount === 500)
  await buying.settled()
  await buying.sql(
    `insert into purchase_evidence (account_id, mode, id, intent_id, cart_id, attempt, stage, taken_at, url_host, bytes, sha256, hosts,
       created_at, profile_id)
     select account_id, mode, 'evd_01jb2w9m4ye6xs3kq8t7v5c0zd', intent_id, id, 1, 'review', now(), 'own.example', 1, sha256('x'), '{}',
       now(), $2
     from carts where intent_id = $1`,
    [id, buyer.profileId],
  )
  const { made_at: _, ...before } = await bundle(buyer, id)
  expect(before.carts[0].pictures).toHaveLength(1)
  expect(before.money.refunds).toHaveLength(1)
  const client = new Client({ connectionString: buying.app.databaseUrl })
  await client.connect()
  onTestFinished(() => client.end())
  await client.query('set session_replication_role = replica')
  const own = buyer.account.accountId
  for (const tenant of [
    { account_id: buying.app.stranger.accountId, mode: 'test' },
    { account_id: own, mode: 'live' },
  ])
    for (const [table, marks] of twinned) {
      // An order stands once with its merchant.
      const merchant = table === 'orders' ? { merchant_account_id: tenant.account_id } : {}
      await copyRows(client, table, {
        own,
        intentId: id,
        changes: { ...tenant, ...marks, ...merchant },
      })
    }
  const { made_at: __, ...after } = await bundle(buyer, id)
  expect(after).toEqual(before)
})

async function copyRows(
  client: Client,
  table: string,
  { own, intentId, changes }: { own: string; intentId: string; changes: Record<string, unknown> },
): Promise<void> {
  const columns = await client.query<{ names: string }>(
    `select string_agg(column_name, ', ' order by ordinal_position) as names from information_schema.columns
     where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
    [table],
  )
  const names = columns.rows[0]?.names
  await client.query(
    `insert into ${table} (${names}) select ${names} from (
       select (jsonb_populate_record(t, $1::jsonb)).* from ${table} t where t.account_id = $2 and t.mode = 'test'
         and coalesce(to_jsonb(t) ->> 'purchase_intent_id', to_jsonb(t) ->> 'intent_id', $3) = $3) as twins`,
    [JSON.stringify(changes), own, intentId],
  )
}
