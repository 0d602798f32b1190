import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import { type Buyer, type Buying, type Purchase, startBuying } from '../harness/buying.ts'
import { legacy } from '../harness/mcp-requests.ts'

let buying: Buying
let buyer: Buyer

beforeAll(async () => {
  buying = await startBuying({ testClock: true })
  await installTestClock(buying.app.databaseUrl)
})
beforeEach(async () => {
  buyer = await buying.newBuyer('visa_3ds_required')
})
afterEach(() => buying.audit())
afterAll(() => buying?.stop())

const shop = (host = 'shop.example', scenario = 'none') => ({
  url: `https://${host}/thing?scenario=${scenario}`,
})

type Action = { type: string; method?: string; url: string; cart_id: string; expires_at: string }

const actionOf = ({ next_action: action }: Purchase) => action as Action | null

/** A purchase whose payment waits for its person. */
async function asked(items = [shop()], more: Record<string, unknown> = {}) {
  const { id } = await buying.buy(buyer, items, more)
  return { id, ...(await waiting(id)) }
}

async function waiting(id: string): Promise<{ intent: Purchase; action: Action }> {
  const intent = await buying.until(buyer, id, (one) => actionOf(one)?.type === 'verify_payment')
  const action = actionOf(intent)
  if (!action) throw new Error('nobody is asked')
  return { intent, action }
}

/** What the person does on the page of the bank. */
async function say(answer: 'confirmed' | 'refused', { url }: Pick<Action, 'url'>): Promise<string> {
  const body = new URLSearchParams({ answer })
  const said = await fetch(url, { method: 'POST', body })
  expect(said.status).toBe(200)
  return said.text()
}

async function pass(seconds: number): Promise<void> {
  buying.passInProcess(seconds)
  await advanceTestClock(buying.app.databaseUrl, seconds)
}

/** It is asked about now and then; a test does not wait for that. */
async function endedSoon(id: string): Promise<Purchase> {
  await pass(30)
  return buying.ended(buyer, id)
}

const notConfirmed = {
  status: 'failed',
  actual_amount: 0,
  next_action: null,
  failure_reason: { code: 'payment_authentication_failed', retry_policy: 'after_change' },
}

test('a payment that needs its person waits for them at a page, and goes on under the approval it had', async () => {
  const { id, intent, action } = await asked()
  expect(intent).toMatchObject({
    status: 'awaiting_approval',
    carts: [{ status: 'in_progress', can_cancel: true }],
    approval: { expires_at: null, approved_by: 'person' },
    summary:
      'Nothing of at most $14.70 is bought yet. The person who pays must confirm the payment for shop.example on the page of their bank or wallet.',
  })
  expect(action).toMatchObject({ method: 'popup', cart_id: intent.carts[0]?.id, element: null })
  expect(await (await fetch(action.url)).text()).toContain('13.80 USD')
  expect(await say('confirmed', action)).toContain('nothing to answer any more')
  expect(await endedSoon(id)).toMatchObject({ status: 'succeeded', actual_amount: 1380, next_action: null })
  expect(await buying.moneyOf(id)).toEqual([
    'issue_credential 1380 asked',
    'answer 1380 approved',
    'capture 1380 approved',
  ])
  const types = await buying.eventTypes(buyer, id)
  expect(types.slice(types.indexOf('cart.offer_updated'))).toEqual([
    'cart.offer_updated',
    'purchase_intent.awaiting_approval',
    'cart.payment_authorized',
    'purchase_intent.approved',
    'cart.order_placed',
    'cart.payment_captured',
    'cart.succeeded',
    'purchase_intent.succeeded',
  ])
})

test('a person who refuses ends the cart, and a retry asks again', async () => {
  const { id, action } = await asked()
  await say('refused', action)
  expect(await endedSoon(id)).toMatchObject(notConfirmed)
  await buying.settled()
  const again = await buying.app.post(`/v1/purchase_intents/${id}/retry`, {})
  expect(again.status, JSON.stringify(again.body)).toBe(200)
  const { action: second } = await waiting(id)
  expect(second.url).not.toBe(action.url)
  await say('confirmed', second)
  expect(await endedSoon(id)).toMatchObject({ status: 'succeeded' })
})

const closed = ['issue_credential 1380 asked', 'close 1380 revoked']

describe('nothing is held once', () => {
  test('it was declined, which is no approval', async () => {
    const { id } = await asked()
    const path = `/v1/purchase_intents/${id}`
    const approved = await buying.app.post(`${path}/approve`, { approve: true })
    expect(approved).toMatchObject({ status: 409, body: { detail: { code: 'not_approvable' } } })
    expect(approved.body.detail.message).toContain('a payment waits for its person')
    expect((await buying.app.post(`${path}/approval_links`, {})).body.detail.code).toBe('not_approvable')
    const declined = await buying.app.post(`${path}/approve`, { approve: false })
    expect(declined.body).toMatchObject(notConfirmed)
    await pass(30)
    await buying.settled()
    expect(await buying.moneyOf(id)).toEqual(closed)
  })

  test('it was cancelled', async () => {
    const { id } = await asked()
    const cancelled = await buying.app.post(`/v1/purchase_intents/${id}/cancel`, {})
    expect(cancelled.body).toMatchObject({ status: 'cancelled', next_action: null })
    await pass(30)
    await buying.settled()
    expect(await buying.moneyOf(id)).toEqual(closed)
  })
})

test('another cart goes on meanwhile, and the next one asks once the first is answered', async () => {
  const { id, action } = await asked([
    shop('a.example'),
    shop('b.example'),
    shop('c.example', 'out_of_stock'),
  ])
  const failed = await buying.until(buyer, id, ({ carts }) => carts.some(({ status }) => status === 'failed'))
  expect(failed.status).toBe('awaiting_approval')
  await say('confirmed', action)
  await pass(30)
  const next = await buying.until(buyer, id, (one) => {
    const now = actionOf(one)
    return now?.type === 'verify_payment' && now.cart_id !== action.cart_id
  })
  await buying.until(buyer, id, ({ carts }) => carts.some(({ status }) => status === 'succeeded'))
  const one = actionOf(next)
  if (!one) throw new Error('nobody is asked')
  const rest = await buying.app.post(`/v1/purchase_intents/${id}/approve`, { approve: false })
  expect(rest.body).toMatchObject({ status: 'failed', partial: true, next_action: null })
  await pass(30)
  await buying.settled()
  expect(await buying.read(buyer, id)).toMatchObject({
    actual_amount: next.carts.length === 3 ? expect.any(Number) : 0,
    carts: expect.arrayContaining([
      expect.objectContaining({ id: action.cart_id, status: 'succeeded' }),
      expect.objectContaining({ id: one.cart_id, status: 'failed' }),
    ]),
  })
})

test('cancelling the cart that waits lets the others go on', async () => {
  const { id, action } = await asked([shop('a.example'), shop('b.example')])
  const rest = await buying.app.post(`/v1/purchase_intents/${id}/cancel`, { cart_ids: [action.cart_id] })
  expect(rest.body).toMatchObject({ status: 'approved', next_action: null })
  await pass(30)
  const { action: other } = await waiting(id)
  expect(other.cart_id).not.toBe(action.cart_id)
  await say('confirmed', other)
  expect(await endedSoon(id)).toMatchObject({ status: 'succeeded', partial: true })
  await buying.settled()
})

test('a worker that is stopped meanwhile, or never hears the answer, loses nothing', async () => {
  const path = { operation: 'issue_credential' } as const
  await buying.sandbox.fault({ match: path, fault: 'lose_answer', times: 1 })
  const { id } = await buying.buy(buyer, [shop()])
  await pass(30)
  const { action } = await waiting(id)
  await buying.stopWorker()
  await say('confirmed', action)
  await pass(60)
  buying.startWorker()
  expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded' })
  expect((await buying.moneyOf(id)).filter((line) => line.startsWith('capture'))).toHaveLength(1)
})

test('a payment that is confirmed during a freeze buys nothing before its end', async () => {
  const { id, action } = await asked()
  const controls = (what: string) => buying.app.post(`/v1/controls/${what}`, { target: { type: 'account' } })
  expect((await controls('freeze')).status).toBe(200)
  await say('confirmed', action)
  await pass(30)
  await buying.until(buyer, id, ({ status }) => status === 'approved')
  expect((await buying.moneyOf(id)).at(-1)).toBe('answer 1380 approved')
  expect((await controls('unfreeze')).status).toBe(200)
  expect(await endedSoon(id)).toMatchObject({ status: 'succeeded' })
})

test('an agent sees the same page by its tools', async () => {
  const { id, action } = await asked()
  const call = { name: 'v1_get_purchase_intent', arguments: { purchase_intent_id: id } }
  const { body } = await legacy(buying.app, 'tools/call', call, { key: buyer.key })
  expect(body.result.structuredContent.next_action).toEqual(action)
  await buying.app.post(`/v1/purchase_intents/${id}/cancel`, {})
  await pass(30)
  await buying.settled()
})

// The last one: the bank's clock stays behind, so that after this every time to answer would be over at once.
test('nothing is held once nobody has come in time', async () => {
  const { id, action } = await asked()
  await pass(31 * 60)
  expect(await buying.ended(buyer, id)).toMatchObject(notConfirmed)
  await buying.settled()
  expect(await buying.moneyOf(id)).toEqual(closed)
  expect(await say('confirmed', action)).toContain('nothing to answer any more')
  expect(await buying.moneyOf(id)).toEqual(closed)
})
