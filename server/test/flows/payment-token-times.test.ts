import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import { type Buyer, type Buying, type Purchase, startBuying } from '../harness/buying.ts'
import {
  askForToken,
  openTokenShop,
  type TokenShop,
  tokenBody,
  waiting,
  withToken,
} from '../harness/token-purchases.ts'

const minute = 60
const hour = 60 * minute

let buying: Buying
let buyer: Buyer
let shop: TokenShop
beforeAll(async () => {
  buying = await startBuying({ testClock: true })
  await installTestClock(buying.app.databaseUrl)
  buyer = await buying.newBuyer()
  shop = await openTokenShop(buying)
})
afterEach(() => buying.audit())
afterAll(async () => {
  await shop?.close()
  await buying?.stop()
})

async function pass(seconds: number): Promise<void> {
  expect(await advanceTestClock(buying.app.databaseUrl, seconds)).toBeInstanceOf(Date)
}

test('a token that nobody uses ends after fifteen minutes, and its credential is revoked first', async () => {
  const { id, token } = await withToken(buying, buyer, shop)
  await pass(14 * minute)
  expect(await shop.find(token)).toMatchObject({ status: 'active' })
  await pass(minute)
  expect(await buying.ended(buyer, id)).toMatchObject({
    status: 'failed',
    actual_amount: 0,
    failure_reason: { code: 'payment_token_expired', category: 'payment', retry_policy: 'none' },
    summary:
      'Nothing was bought and nothing was charged. The merchant did not use the payment token in time. It cannot be tried again.',
  })
  const found = await shop.find(token)
  expect(found).toMatchObject({ status: 'expired' })
  expect(found && (await shop.claim(found))).toEqual({ kind: 'refused', reason: 'expired' })
  expect(await buying.moneyOf(id)).toEqual(['issue_credential 1080 approved', 'revoke 1080 revoked'])
  const retried = await buying.app.post(`/v1/purchase_intents/${id}/retry`, {}, buyer)
  expect([retried.status, retried.body.detail.code]).toEqual([409, 'not_retryable'])
})

test('what the merchant authorized in time without a word stays its own: the revoke finds it, and the capture counts', async () => {
  const { id, token } = await withToken(buying, buyer, shop)
  await buying.stopWorker()
  const held = await shop.authorize(token)
  await pass(20 * minute)
  const worker = buying.startWorker()
  const statusNow = async () => (await shop.find(token))?.status
  await expect.poll(statusNow).not.toBe('active')
  expect(await statusNow()).toBe('authorized')
  await pass(3 * hour)
  await shop.capture(held, 900n)
  await shop.report(token)
  expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded', actual_amount: 900 })
  await worker.stop()
  buying.startWorker()
})

test('a capture that nobody reports is found within a quarter of an hour', async () => {
  const { id, token } = await withToken(buying, buyer, shop)
  const held = await shop.authorize(token)
  await shop.report(token)
  await expect.poll(async () => (await shop.find(token))?.status).toBe('authorized')
  await pass(2 * hour)
  await shop.capture(held)
  await pass(15 * minute)
  expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded', actual_amount: 1080 })
})

test('what a merchant keeps for longer than its order lives is for a person to find out', async () => {
  const { id, token } = await withToken(buying, buyer, shop)
  const held = await shop.authorize(token)
  await shop.report(token)
  await expect.poll(async () => (await shop.find(token))?.status).toBe('authorized')
  await pass(24 * hour)
  await shop.report(token)
  expect(await buying.read(buyer, id)).toMatchObject({ status: 'approved' })
  await pass(2 * hour)
  const failed = await buying.ended(buyer, id)
  expect(failed).toMatchObject({
    failure_reason: { code: 'outcome_unknown', retry_policy: 'reconcile_first' },
    next_action: { type: 'resolve_unknown_outcome' },
  })
  await shop.release(held)
  const answer = { cart_id: failed.carts[0]?.id, outcome: 'not_placed' }
  const reconciled = await buying.app.post(`/v1/purchase_intents/${id}/reconcile`, answer, buyer)
  expect([reconciled.status, reconciled.body.status]).toEqual([200, 'failed'])
  await buying.settled()
  expect(await buying.sql('select status from authorizations where intent_id = $1', [id])).toEqual([
    { status: 'voided' },
  ])
})

test('a purchase that never gets its token ends after seven days, and gives back what was reserved', async () => {
  const policy = {
    name: 'A month',
    currency: 'USD',
    scope: { profile_ids: [buyer.profileId] },
    limits: { intervals: [{ interval: 'all_time', max_amount: 1500 }] },
    approval: { mode: 'always' },
  }
  const { body } = await buying.app.post('/v1/policies', policy, buyer)
  const { id } = await waiting(buying, buyer, shop)
  await pass(6 * 24 * hour)
  expect(await buying.read(buyer, id)).toMatchObject({ status: 'approved', carts: [] })
  await pass(25 * hour)
  const isOver = ({ status, carts }: Purchase) => status !== 'approved' || carts.length > 0
  expect(await buying.until(buyer, id, isOver)).toMatchObject({
    status: 'cancelled',
    carts: [],
    cancel_reason: 'No payment token was made of it in time.',
  })
  const { body: after } = await buying.app.get(`/v1/policies/${body.id}`, buyer)
  expect(after.usage[0]).toMatchObject({ reserved: 0, spent: 0 })
  const late = await askForToken(buying, id, tokenBody(shop), buyer)
  expect([late.status, late.body.detail.code]).toEqual([409, 'payment_token_not_available'])
  await buying.app.post(`/v1/policies/${body.id}/archive`, undefined, buyer)
})

test('a freeze after the token is made keeps it unusable, and its time runs on', async () => {
  const own = await buying.newBuyer()
  const pause = buying.faults.pause('issue_credential.before')
  const { id } = await waiting(buying, own, shop)
  const asked = askForToken(buying, id, tokenBody(shop), own)
  await pause.reached
  const target = { target: { type: 'profile', id: own.profileId } }
  const { body } = await buying.app.post('/v1/controls/freeze', target, own)
  expect(body.in_flight).toMatchObject([{ step: 'issue_credential' }])
  pause.resume()
  const { body: made } = await asked
  expect(made.status).toBe('pending')
  expect(await shop.find(made.token)).toMatchObject({ credentialReference: null })
  await pass(16 * minute)
  expect(await buying.ended(own, id)).toMatchObject({ failure_reason: { code: 'payment_token_expired' } })
  expect(await buying.moneyOf(id)).toEqual(['issue_credential 1080 approved', 'revoke 1080 revoked'])
  await buying.app.post('/v1/controls/unfreeze', target, own)
})
