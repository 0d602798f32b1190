import { Client } from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { revokeKey, rollKey } from '../../src/domain/accounts/api-keys/public.ts'
import { runAs } from '../../src/platform/calls/run-as.ts'
import { type Buyer, type Buying, intentBody, type Purchase, startBuying } from '../harness/buying.ts'
import { person } from '../harness/person.ts'
import { waitsOrAnswers } from '../races/behind-a-lock.ts'

const url = 'https://shop.example/tea'
const home = { line1: '1 Main St', city: 'Springfield', state: 'IL', postal_code: '62701', country: 'US' }

let buying: Buying
beforeAll(async () => {
  buying = await startBuying()
})
afterEach(() => buying.audit())
afterAll(() => buying?.stop())

const post = (buyer: Buyer, path: string, body: object = {}) =>
  buying.app.post(path, body, { key: buyer.key })

/** Somebody of whom no address is known, who may be bought for unattended. */
async function newBuyer(approval: object | null = { mode: 'never' }): Promise<Buyer & { policyId: string }> {
  const account = await buying.app.newAccount()
  const buyer = await buying.newBuyer('visa_auto_approved', account)
  const { body } = await post(buyer, '/v1/profiles', { ...person, addresses: [] })
  const method = await post(buyer, `/v1/profiles/${body.id}/payment_methods`, {
    type: 'card',
    card: {
      kind: 'existing',
      vault_token_id: 'visa_auto_approved',
      agentic_credentials_enrollment_requested: true,
      agentic_terms_acknowledged: true,
    },
  })
  expect(method.status).toBe(201)
  const limits = { intervals: [{ interval: 'day', max_amount: 1_000_000 }], max_intents_per_day: 1000 }
  const policy = await post(buyer, '/v1/policies', { name: 'Agents', currency: 'USD', limits, approval })
  return { ...buyer, profileId: body.id, policyId: policy.body.id }
}

async function create(buyer: Buyer, more: Record<string, unknown> = {}): Promise<Purchase> {
  const { status, body } = await post(buyer, '/v1/purchase_intents', intentBody(buyer, [{ url }], more))
  expect(status, JSON.stringify(body)).toBe(201)
  return body
}

async function giveAddress(buyer: Buyer, address_type = 'shipping'): Promise<string> {
  const { status, body } = await post(buyer, `/v1/profiles/${buyer.profileId}/addresses`, {
    address_type,
    ...home,
  })
  expect(status).toBe(201)
  return body.addresses.at(-1).id
}

const provideAddress = {
  type: 'provide_input',
  fields: [{ name: 'shipping_address', label: 'Where to ship the goods', kind: 'address' }],
  element: null,
}
const isDecided = ({ next_action }: Purchase) =>
  (next_action as { type: string } | null)?.type !== 'provide_input'

test('a purchase without an address to ship to waits, also where policies allow it, and is bought once there is an address', async () => {
  const buyer = await newBuyer()
  const body = intentBody(buyer, [{ url }], {})
  const preview = await post(buyer, '/v1/purchase_intents/preview', body)
  expect(preview.body).toMatchObject({ status: 'awaiting_approval', next_action: provideAddress })
  const { id, ...created } = await create(buyer)
  expect(created).toMatchObject({ status: 'awaiting_approval', next_action: provideAddress })
  const refused = await post(buyer, `/v1/purchase_intents/${id}/approve`, { approve: true })
  expect([refused.status, refused.body.detail.code]).toEqual([409, 'shipping_address_required'])
  expect(refused.body.detail.next_action).toMatchObject(provideAddress)
  expect(await buying.moneyOf(id)).toEqual([])
  const addressId = await giveAddress(buyer)
  const bought = await buying.ended(buyer, id)
  expect(bought).toMatchObject({
    status: 'succeeded',
    approval: { required: false, approved_by: 'policy' },
    preferences: { fulfillment: { address_id: addressId } },
    policy_decision: { result: 'allow' },
  })
  expect((await buying.eventTypes(buyer, id)).slice(0, 3)).toEqual([
    'purchase_intent.created',
    'purchase_intent.awaiting_approval',
    'purchase_intent.queued',
  ])
  const usage = (await buying.app.get(`/v1/policies/${buyer.policyId}`, { key: buyer.key })).body
  expect(usage.usage[0]).toMatchObject({ reserved: 0, spent: bought.actual_amount, count: 1 })
})

test('an address that is told to one purchase is shipped to, and the profile keeps it only where that is asked', async () => {
  const buyer = await newBuyer()
  const addressesOf = async () =>
    (await buying.app.get(`/v1/profiles/${buyer.profileId}`, { key: buyer.key })).body.addresses.length
  const one = await create(buyer)
  const path = `/v1/purchase_intents/${one.id}/input`
  const lacking = await post(buyer, path, { values: { shipping_address: { ...home, city: null } } })
  expect([lacking.status, lacking.body.detail[0].loc]).toEqual([
    422,
    ['body', 'values', 'shipping_address', 'city'],
  ])
  const { token } = await buying.app.newKey(buyer.account, 'test', 'buyer_agent')
  const asAgent = { ...buyer, key: token }
  const values = { shipping_address: home }
  expect((await post(asAgent, path, { values })).body.detail.code).toBe('insufficient_scope')
  expect((await post(buyer, path, { values })).body).toMatchObject({ status: 'queued', next_action: null })
  expect((await post(buyer, path, { values })).body.detail.code).toBe('input_not_awaited')
  expect(await buying.ended(buyer, one.id)).toMatchObject({
    status: 'succeeded',
    preferences: { fulfillment: { address_id: null } },
  })
  expect(await addressesOf()).toBe(0)
  const [two, three] = [await create(buyer), await create(buyer)]
  expect((await post(buyer, `/v1/purchase_intents/${two.id}/input`, { values, keep: true })).status).toBe(200)
  for (const { id } of [two, three]) expect((await buying.ended(buyer, id)).status).toBe('succeeded')
  expect(await addressesOf()).toBe(1)
})

test('the merchant gets the address that came', async () => {
  const seller = await buying.app.newAccount('Seller')
  const as = { key: seller.keys.secret_test }
  await buying.app.post('/v1/merchant', { name: 'Shop', domain: 'told.example', currency: 'USD' }, as)
  await buying.sql('update merchants set domain_verified_at = now() where account_id = $1', [
    seller.accountId,
  ])
  const sold = 'https://told.example/thing'
  const listing = { title: 'Thing', url: sold, variants: [{ sku: 'T-1', price: 1000, quantity: 10 }] }
  const item = await buying.app.post('/v1/merchant/catalog_items', listing, as)
  await buying.app.post(`/v1/merchant/catalog_items/${item.body.id}/publish`, {}, as)
  const buyer = await newBuyer()
  const { id } = await create(buyer, intentBody(buyer, [{ url: sold }], {}))
  await giveAddress(buyer)
  const { carts } = await buying.until(buyer, id, (intent) => typeof intent.carts[0]?.order === 'string')
  const order = await buying.app.get(`/v1/orders/${carts[0]?.order}`, { key: buyer.key })
  expect(order.body.shipping_address).toMatchObject(home)
  await post(buyer, `/v1/purchase_intents/${id}/cancel`)
  await buying.settled()
})

test('a purchase that policies do not allow unattended waits for an approval once there is an address', async () => {
  const buyer = await newBuyer({ mode: 'always' })
  const { id } = await create(buyer)
  await giveAddress(buyer)
  const asked = await buying.until(buyer, id, isDecided)
  expect(asked).toMatchObject({ status: 'awaiting_approval', next_action: { type: 'approve' } })
  expect(await buying.moneyOf(id)).toEqual([])
  await post(buyer, `/v1/purchase_intents/${id}/approve`, { approve: true })
  expect((await buying.ended(buyer, id)).status).toBe('succeeded')
})

test('policies of the moment at which the address comes decide: what they deny is declined', async () => {
  const buyer = await newBuyer()
  const { id } = await create(buyer)
  await post(buyer, `/v1/policies/${buyer.policyId}`, { merchants: { block: ['shop.example'] } })
  await giveAddress(buyer)
  const declined = await buying.ended(buyer, id)
  expect(declined).toMatchObject({
    status: 'declined',
    next_action: null,
    policy_decision: { result: 'deny' },
  })
  expect((await buying.eventTypes(buyer, id)).at(-1)).toBe('purchase_intent.declined')
})

test('an address that came with the approval is frozen by it', async () => {
  const buyer = await newBuyer({ mode: 'always' })
  await buying.stopWorker()
  const { id } = await create(buyer)
  const addressId = await giveAddress(buyer)
  const approved = await post(buyer, `/v1/purchase_intents/${id}/approve`, { approve: true })
  expect(approved.body).toMatchObject({
    status: 'approved',
    preferences: { fulfillment: { address_id: addressId } },
  })
  buying.startWorker()
  expect((await buying.ended(buyer, id)).status).toBe('succeeded')
})

test.each(['billing', 'both'])(
  'an address of type %s is one to ship to where there is no other',
  async (type) => {
    const buyer = await newBuyer()
    const billing = await giveAddress(buyer, type)
    expect(await create(buyer)).toMatchObject({
      status: 'queued',
      preferences: { fulfillment: { address_id: billing } },
    })
    const shipping = await giveAddress(buyer, 'shipping')
    const later = await create(buyer)
    const expected = type === 'both' ? billing : shipping
    expect(later).toMatchObject({ preferences: { fulfillment: { address_id: expected } } })
    await buying.ended(buyer, later.id)
  },
)

test.each(['pickup', 'digital'])('a purchase by %s needs no address', async (method) => {
  const buyer = await newBuyer()
  const created = await create(buyer, { preferences: { fulfillment: { method } } })
  expect(created.status).toBe('queued')
  expect((await buying.ended(buyer, created.id)).status).toBe('succeeded')
})

test('while a freeze lasts an address decides nothing, and its end does', async () => {
  const buyer = await newBuyer()
  const { id } = await create(buyer)
  const target = { type: 'profile', id: buyer.profileId }
  await post(buyer, '/v1/controls/freeze', { target })
  await giveAddress(buyer)
  const looked = `select 1 from purchase_intents where id = $1 and lease_until is null
    and due_at between prokura_now() + interval '10 minutes' and prokura_now() + interval '1 hour'`
  await expect.poll(async () => (await buying.sql(looked, [id])).length).toBe(1)
  expect(await buying.read(buyer, id)).toMatchObject({ next_action: provideAddress })
  await post(buyer, '/v1/controls/unfreeze', { target })
  expect((await buying.ended(buyer, id)).status).toBe('succeeded')
})

test.each([
  ['a revoked key asked for is not bought unattended', revokeKey, 'awaiting_approval'],
  ['a key that is rolled since asked for is bought all the same', rollKey, 'succeeded'],
])('a purchase that %s when its address comes', async (_, change, expected) => {
  const buyer = await newBuyer()
  const agent = await buying.app.newKey(buyer.account, 'test', 'buyer_agent')
  const body = intentBody(buyer, [{ url }], {})
  const { id } = (await buying.app.post('/v1/purchase_intents', body, { key: agent.token })).body
  const tenant = { accountId: buyer.account.accountId, mode: 'test' } as const
  await runAs(buying.app.parts, { tenant, actor: { type: 'system', id: 'test' } }, async (ctx) => {
    await change(ctx, agent.id)
  })
  await giveAddress(buyer)
  const isOver = (intent: Purchase) => isDecided(intent) && intent.status !== 'queued'
  const asked = await buying.until(buyer, id, isOver)
  expect(asked.status).toBe(expected)
  if (expected === 'awaiting_approval') expect(asked.next_action).toMatchObject({ type: 'approve' })
})

test('however many purchases wait for one address, all of them hear of it', async () => {
  const buyer = await newBuyer({ mode: 'always' })
  const ids: string[] = []
  for (let at = 0; at < 130; at++) ids.push((await create(buyer)).id)
  await giveAddress(buyer)
  const waiting = `select id from purchase_intents where account_id = $1 and ship_to = 'awaited'`
  const count = async () => (await buying.sql(waiting, [buyer.account.accountId])).length
  await expect.poll(count, { interval: 50 }).toBe(0)
  const all = await Promise.all(ids.map((id) => buying.read(buyer, id)))
  expect(all.filter(isDecided)).toHaveLength(130)
})

test('an address that comes while a purchase is being written is found all the same', async () => {
  const buyer = await newBuyer({ mode: 'always' })
  const holder = new Client({ connectionString: buying.app.databaseUrl })
  await holder.connect()
  await holder.query('begin')
  await holder.query('select 1 from controls where account_id = $1 for update', [buyer.account.accountId])
  // Decided from a profile without an address, and not written yet.
  const creating = create(buyer)
  await waitsOrAnswers(buying.app, creating)
  await giveAddress(buyer)
  const unrelayed = 'select 1 from outbox where account_id = $1'
  await expect.poll(async () => (await buying.sql(unrelayed, [buyer.account.accountId])).length).toBe(0)
  await holder.query('commit')
  await holder.end()
  const { id, ...created } = await creating
  expect(created).toMatchObject({ next_action: provideAddress })
  expect(await buying.until(buyer, id, isDecided)).toMatchObject({ next_action: { type: 'approve' } })
})

test('an address that comes while a worker looks for one is found all the same', async () => {
  const buyer = await newBuyer({ mode: 'always' })
  await buying.settled()
  const pause = buying.faults.pause('step.commit.before')
  const { id } = await create(buyer)
  await pause.reached
  await giveAddress(buyer)
  // What follows from the address waits for the worker, which has read a profile without it.
  await waitsOrAnswers(buying.app, new Promise(() => undefined))
  pause.resume()
  expect(await buying.until(buyer, id, isDecided)).toMatchObject({ next_action: { type: 'approve' } })
})

test('a purchase that was queued before this rule goes on as it was', async () => {
  const buyer = await newBuyer()
  await giveAddress(buyer)
  await buying.settled()
  const pause = buying.faults.pause('claim.after')
  const { id } = await create(buyer)
  await pause.reached
  await buying.sql(
    `update purchase_intents set ship_to = null, fulfillment = fulfillment || '{"address": null, "address_id": null}' where id = $1`,
    [id],
  )
  pause.resume()
  expect((await buying.ended(buyer, id)).status).toBe('succeeded')
})
