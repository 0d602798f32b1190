import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { waitsOrAnswers } from '../../../../test/races/behind-a-lock.ts'
import { statement } from '../../../contract/statement.ts'
import { runAs } from '../../../platform/calls/run-as.ts'
import { isFrozen } from './freezes.ts'
import { lockControlForShare } from './lock-control.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

async function newOwner() {
  const { accountId, keys } = await app.newAccount()
  const key = keys.secret_test
  const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'GB' }
  const profileId: string = (await app.post('/v1/profiles', ada, { key })).body.id
  const post = (verb: string, target: object) => app.post(`/v1/controls/${verb}`, { target }, { key })
  return { accountId, key, keys, profileId, post }
}

test('an account, a profile and a key are frozen and unfrozen by themselves, once', async () => {
  const { profileId, post, accountId } = await newOwner()
  const other = await app.newKey({ accountId, keys: app.account.keys }, 'test', 'full')
  const account = await post('freeze', { type: 'account' })
  expect([account.status, account.body]).toMatchObject([
    200,
    { object: 'control', mode: 'test', frozen: true, profiles: [], keys: [], in_flight: [] },
  ])
  expect((await post('freeze', { type: 'account' })).body).toEqual(account.body)
  await post('freeze', { type: 'profile', id: profileId })
  expect((await post('freeze', { type: 'key', id: other.id })).body).toMatchObject({
    frozen: true,
    profiles: [profileId],
    keys: [other.agentId],
  })
  expect((await post('unfreeze', { type: 'account' })).body).toMatchObject({
    frozen: false,
    profiles: [profileId],
  })
  await post('unfreeze', { type: 'profile', id: profileId })
  expect((await post('unfreeze', { type: 'key', id: other.id })).body).toMatchObject({
    frozen: false,
    profiles: [],
    keys: [],
  })
})

test('a target is named exactly and belongs to the caller', async () => {
  const { post } = await newOwner()
  const stranger = await newOwner()
  for (const target of [
    { type: 'profile' },
    { type: 'key' },
    { type: 'account', id: 'acct_1' },
    { type: 'mode' },
  ]) {
    expect((await post('freeze', target)).status).toBe(422)
  }
  for (const type of ['profile', 'key']) {
    for (const id of [stranger.profileId, 'prof_unknown', '__proto__', 'constructor']) {
      const { status, body } = await post('freeze', { type, id })
      expect([status, body.detail.code, body.detail.param]).toEqual([404, 'not_found', 'target.id'])
    }
  }
  // A key is no profile.
  expect((await post('freeze', { type: 'key', id: stranger.profileId })).status).toBe(404)
})

test('an agent cannot freeze, a client without a key cannot, and one mode does not freeze the other', async () => {
  const { keys, key } = await newOwner()
  const target = { type: 'account' }
  const agent = await app.post('/v1/controls/freeze', { target }, { key: keys.agent_test })
  expect([agent.status, agent.body.detail.code]).toEqual([403, 'insufficient_scope'])
  expect((await app.post('/v1/controls/unfreeze', { target }, { key: null })).status).toBe(401)
  await app.post('/v1/controls/freeze', { target }, { key: keys.secret_live })
  const test = await app.post('/v1/controls/unfreeze', { target }, { key })
  expect(test.body).toMatchObject({ mode: 'test', frozen: false })
})

const insertEffects = statement<never, { account_id: string; profile_id: string; channel: string }>(
  '',
  `with intent as (
     insert into purchase_intents (account_id, mode, id, profile_id, status, currency, expected_amount, max_allowed_amount, fee_allowance,
       tax_allowance, tolerance_basis_points, on_price_exceed, items, fulfillment, policy_decision, policy_result, approval_required,
       metadata, actor_type, merchants, search, seq, created_at, updated_at, buyer)
     values ($account_id, 'test', 'pi_1', $profile_id, 'approved', 'EUR', 1, 1, 0, 0, 0, 'fail', '[]', '{}', '{}', 'allow', false, '{}',
       'system', '{}', '', 1, now(), now(), '{}')),
   cart as (
     insert into carts (account_id, mode, id, intent_id, position, merchant_name, merchant_domain, channel, items, status, attempt_id,
       currency, expected_amount, max_allowed_amount, fee_allowance, tax_allowance, tolerance_basis_points, created_at, updated_at)
     values ($account_id, 'test', 'cart_1', 'pi_1', 0, 'Shop', 'shop.example', $channel, '[]', 'in_progress', 'att_1', 'EUR', 1, 1, 0, 0, 0,
       now(), now()))
   insert into effects (account_id, mode, cart_id, attempt, step, key, intent_id, request_digest, request, state, sent_at, not_before)
   select $account_id, 'test', 'cart_1', 1, n.step, 'cart_1:1:' || n.step, 'pi_1', '', '{}', n.state, '2026-05-04T10:00:00Z', now()
   from (values ('authorize', 'done'), ('capture', 'sent'), ('place', 'unknown')) as n(step, state)`,
)

const since = '2026-05-04T10:00:00.000Z'
const ofCart = { cart_id: 'cart_1', purchase_intent_id: 'pi_1', since }
const capture = { ...ofCart, step: 'capture', state: 'sent' }
const order = { ...ofCart, step: 'place', state: 'unknown' }

test('a freeze answers with the calls that may still land, of its target only', async () => {
  const { accountId, profileId, post, key } = await newOwner()
  await app.parts.pools.single(
    insertEffects({ account_id: accountId, profile_id: profileId, channel: 'simulated' }),
  )
  expect((await post('freeze', { type: 'profile', id: profileId })).body.in_flight).toEqual([capture, order])
  expect((await post('freeze', { type: 'account' })).body.in_flight).toEqual([capture, order])
  const ada = { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'GB' }
  const { body: another } = await app.post('/v1/profiles', ada, { key })
  expect((await post('freeze', { type: 'profile', id: another.id })).body.in_flight).toEqual([])
})

test('an order that awaits a merchant of ours is no call in flight', async () => {
  const { accountId, profileId, post } = await newOwner()
  await app.parts.pools.single(
    insertEffects({ account_id: accountId, profile_id: profileId, channel: 'native' }),
  )
  expect((await post('freeze', { type: 'account' })).body.in_flight).toEqual([capture])
})

test('a freeze waits for a release of money that holds the control row, and the next release sees it', async () => {
  const { accountId, keys, key } = await newOwner()
  const tenant = { accountId, mode: 'test' } as const
  const as = { tenant, actor: { type: 'system', id: 'test' } as const }
  const order: string[] = []
  let freezing: Promise<unknown> = Promise.resolve()
  await runAs(app.parts, as, async (ctx) => {
    await lockControlForShare(ctx)
    freezing = app
      .post('/v1/controls/freeze', { target: { type: 'account' } }, { key })
      .then(() => order.push('frozen'))
    await waitsOrAnswers(app, freezing)
    order.push('released')
  })
  await freezing
  expect(order).toEqual(['released', 'frozen'])
  const control = await runAs(app.parts, as, lockControlForShare)
  expect(control && isFrozen(control, { profileId: 'prof_1', agentId: null })).toBe(true)
  expect(keys.secret_test).toBe(key)
})
