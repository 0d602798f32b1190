import { afterAll, beforeAll, expect, test } from 'vitest'
import { revokeKey } from '../../src/domain/accounts/api-keys/public.ts'
import { lockControlForShare } from '../../src/domain/accounts/controls/public.ts'
import { runAs } from '../../src/platform/calls/run-as.ts'
import { type Answer, startTestApp, type TestAccount, type TestApp } from '../harness/app.ts'
import { createPurchase, newBuyer, purchaseOf } from '../harness/buyers.ts'
import { readPurchase, runningPurchase } from '../harness/hand-worker.ts'
import { openShop, placeOrder } from '../harness/orders.ts'
import { behindALock, waitsOrAnswers } from './behind-a-lock.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

function told({ status, body }: Answer): string {
  return status < 300 ? String(status) : `${status} ${body.detail.code}`
}

const system = { type: 'system', id: 'test' } as const

function tenantOf({ accountId }: TestAccount) {
  return { accountId, mode: 'test' } as const
}

/** An account with a buyer, and a key of it that can be ended. */
async function newOwner({ isUnattended, perDay = null }: { isUnattended: boolean; perDay?: number | null }) {
  const account = await app.newAccount()
  const { id, token } = await app.newKey(account, 'test', 'full')
  const mode = isUnattended ? 'never' : 'always'
  const limits = { per_transaction_max: 100_000, max_intents_per_day: perDay }
  const terms = { name: mode, currency: 'EUR', limits, approval: { mode } }
  const policy = await app.post('/v1/policies', terms, { key: token })
  expect(policy.status).toBe(201)
  const buyer = await newBuyer(app, { key: account.keys.secret_test })
  return { account, keyId: id, key: token, buyer, as: { tenant: tenantOf(account), actor: system } }
}

test('an approval sees the cancel of the intent that it had to wait for', async () => {
  const { body } = await createPurchase(app, await newBuyer(app))
  const answer = await behindALock(
    app,
    (query) => query(`update purchase_intents set status = 'cancelled' where id = $1`, body.id),
    () => app.post(`/v1/purchase_intents/${body.id}/approve`, { approve: true }),
  )
  expect(told(answer)).toBe('409 not_approvable')
  expect((await readPurchase(app, body.id)).status).toBe('cancelled')
})

test('a cancel of an intent sees that its approval came first', async () => {
  const { body } = await createPurchase(app, await newBuyer(app))
  const answer = await behindALock(
    app,
    (query) => query(`update purchase_intents set status = 'succeeded' where id = $1`, body.id),
    () => app.post(`/v1/purchase_intents/${body.id}/cancel`),
  )
  expect(told(answer)).toBe('409 not_cancellable')
})

test('a cancel leaves the cart its lease, which a worker took at the same moment', async () => {
  const { id, carts } = await runningPurchase(app, await newBuyer(app))
  const answer = await behindALock(
    app,
    (query) =>
      query(
        `update carts set lease_token = lease_token + 1, lease_until = now() + interval '30 seconds' where id = $1`,
        carts[0],
      ),
    () => app.post(`/v1/purchase_intents/${id}/cancel`),
  )
  expect(told(answer)).toBe('200')
  const [cart] = await app.parts.pools.read<{ is_held: boolean; waits: boolean }>({
    name: '',
    text: `select lease_until > now() as is_held, due_at = date_trunc('milliseconds', lease_until) as waits from carts where id = $1`,
    values: [carts[0]],
  })
  expect(cart).toEqual({ is_held: true, waits: true })
})

test('a cancel that waited for a purchase to begin sees the carts that it made', async () => {
  const buyer = await newBuyer(app)
  const { carts } = await runningPurchase(app, buyer)
  const made = `${carts[0]?.slice(0, -1)}${carts[0]?.endsWith('z') ? 'y' : 'z'}`
  const { body } = await createPurchase(app, buyer)
  const answer = await behindALock(
    app,
    async (query) => {
      await query('update purchase_intents set started_at = now(), due_at = null where id = $1', body.id)
      await query(
        `insert into carts
         select (jsonb_populate_record(c, jsonb_build_object('id', $1::text, 'intent_id', $2::text))).* from carts c where id = $3`,
        made,
        body.id,
        carts[0],
      )
    },
    () => app.post(`/v1/purchase_intents/${body.id}/cancel`),
  )
  expect(told(answer)).toBe('200')
  expect(answer.body.carts).toMatchObject([{ id: made, status: 'cancelled' }])
})

test('locks are taken in one order: who waits for the control row holds no purchase, and who waits for a purchase no cart', async () => {
  const tenanted = `account_id = '${app.account.accountId}' and mode = 'test'`
  const { id, carts } = await runningPurchase(app, await newBuyer(app))
  const { body } = await createPurchase(app, await newBuyer(app))
  const approve = () => app.post(`/v1/purchase_intents/${body.id}/approve`, { approve: true })
  const cancel = () => app.post(`/v1/purchase_intents/${id}/cancel`)
  const free = [
    [`controls where ${tenanted}`, `purchase_intents where id = '${body.id}'`, approve],
    [`purchase_intents where id = '${id}'`, `carts where id = '${carts[0]}'`, cancel],
  ] as const
  for (const [first, later, request] of free) {
    let answered: Promise<Answer> | undefined
    await runAs(app.parts, { tenant: tenantOf(app.account), actor: system }, async ({ tx }) => {
      await tx.rows({ name: '', text: `select 1 from ${first} for update`, values: [] })
      answered = request()
      await waitsOrAnswers(app, answered)
      // It fails where somebody else has it.
      await tx.rows({ name: '', text: `select 1 from ${later} for update nowait`, values: [] })
    })
    expect((await answered)?.status).toBe(200)
  }
})

test('an approval that waited while the agent of its purchase became another one asks whether that one is frozen', async () => {
  const { account, key, buyer, keyId } = await newOwner({ isUnattended: false })
  const { body } = await createPurchase(app, buyer, {}, { key })
  const approver = await app.newKey(account, 'test', 'full')
  const frozen = await app.newKey(account, 'test', 'full')
  const agentOf = `(select agent_id from api_keys where account_id = $1 and mode = 'test' and id = $2)`
  const answer = await behindALock(
    app,
    async (query) => {
      await query(
        `update controls set frozen_agent_ids = array[${agentOf}] where account_id = $1 and mode = 'test'`,
        account.accountId,
        frozen.id,
      )
      await query(
        `update api_keys set agent_id = ${agentOf} where account_id = $1 and mode = 'test' and id = $3`,
        account.accountId,
        frozen.id,
        keyId,
      )
    },
    () => app.post(`/v1/purchase_intents/${body.id}/approve`, { approve: true }, { key: approver.token }),
  )
  expect(told(answer)).toBe('409 frozen')
})

test('a buyer who cancels an order sees the confirmation that came just before', async () => {
  const shop = await openShop(app, await app.newAccount('Seller'))
  const order = await placeOrder(app, app.account, shop)
  const answer = await behindALock(
    app,
    (query) =>
      query(
        `update orders set status = 'confirmed', confirmation_reference = 'C-1', response_digest = '', responded_at = now(),
           due_at = null where id = $1`,
        order.id,
      ),
    () => app.post(`/v1/orders/${order.id}/cancel`),
  )
  expect(told(answer)).toBe('409 order_not_cancellable')
})

test('a merchant who answers an order sees the cancel that came just before', async () => {
  const shop = await openShop(app, await app.newAccount('Seller'))
  const order = await placeOrder(app, app.account, shop)
  const answer = await behindALock(
    app,
    (query) => query(`update orders set status = 'cancelled', due_at = null where id = $1`, order.id),
    () => app.post(`/v1/merchant/orders/${order.id}/responses`, { outcome: 'rejected' }, { key: shop.key }),
  )
  expect(told(answer)).toBe('409 order_not_awaiting')
})

test('a password that waited for another one is counted after it', async () => {
  const { profileId, paymentMethodId } = await newBuyer(app, { card: 'visa_otp_required' })
  const path = `/v1/profiles/${profileId}/payment_methods/${paymentMethodId}`
  const answer = await behindALock(
    app,
    (query) => query('update payment_methods set failed_verifications = 2 where id = $1', paymentMethodId),
    () => app.post(`${path}/verify`, { method: 'otp', code: '000000' }),
  )
  expect(told(answer)).toBe('409 verification_failed')
  expect((await app.get(path)).body.card.agentic_credentials_status).toBe('rejected')
})

// A policy that counts the intents of a day has everything decided under lock, another one only what has changed.
test.each([null, 10])(
  'a call that waited for a freeze is refused by it, under %s intents a day',
  async (perDay) => {
    const { account, key, buyer } = await newOwner({ isUnattended: true, perDay })
    const freeze = (query: (text: string, ...values: unknown[]) => Promise<unknown>) =>
      query(`update controls set frozen = true where account_id = $1 and mode = 'test'`, account.accountId)
    const created = await behindALock(app, freeze, () => createPurchase(app, buyer, {}, { key }))
    expect(told(created)).toBe('409 frozen')
  },
)

test('a revocation waits for a release of money with the key', async () => {
  const { keyId, as } = await newOwner({ isUnattended: false })
  const order: string[] = []
  let revoking: Promise<unknown> = Promise.resolve()
  await runAs(app.parts, as, async (ctx) => {
    await lockControlForShare(ctx)
    revoking = runAs(app.parts, as, (other) => revokeKey(other, keyId)).then(() => order.push('revoked'))
    await waitsOrAnswers(app, revoking)
    order.push('released')
  })
  await revoking
  expect(order).toEqual(['released', 'revoked'])
})

test('an approval that waited for the revocation of its key is refused', async () => {
  const { keyId, key, buyer, as } = await newOwner({ isUnattended: false })
  const { body } = await createPurchase(app, buyer, {}, { key })
  const answer = await duringRevocation(as, keyId, () =>
    app.post(`/v1/purchase_intents/${body.id}/approve`, { approve: true }, { key }),
  )
  expect(told(answer)).toBe('401 unauthorized')
})

test('a purchase without a person that waited for the revocation of its key is refused', async () => {
  const { keyId, key, buyer, as } = await newOwner({ isUnattended: true })
  const answer = await duringRevocation(as, keyId, () =>
    app.post('/v1/purchase_intents', purchaseOf(buyer), { key }),
  )
  expect(told(answer)).toBe('401 unauthorized')
})

/** The request is on its way, its key looked up, when the key is revoked. */
async function duringRevocation(
  as: Awaited<ReturnType<typeof newOwner>>['as'],
  keyId: string,
  request: () => Promise<Answer>,
): Promise<Answer> {
  let answered: Promise<Answer> | undefined
  await runAs(app.parts, as, async (ctx) => {
    await revokeKey(ctx, keyId)
    answered = request()
    await waitsOrAnswers(app, answered)
  })
  if (!answered) throw new Error('nothing was asked')
  return answered
}
