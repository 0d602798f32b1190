import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { type Buyer, createPurchase, newBuyer } from '../../../../test/harness/buyers.ts'
import { cups, readPurchase, runningPurchase, tea } from '../../../../test/harness/hand-worker.ts'
import { onHeldCart } from '../../../../test/harness/on-held-cart.ts'
import { openShop, placeOrder } from '../../../../test/harness/orders.ts'
import { noFaults } from '../../../platform/faults/faults.ts'
import { silentLog } from '../../../platform/logs/logs.ts'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import { leaseStatements } from '../../../platform/work/lease.sql.ts'
import { type Claimed, createLease, type Lease, LeaseLost } from '../../../platform/work/lease.ts'
import { createStepContext } from '../../../platform/work/step-context.ts'
import { turnOf } from '../../../platform/work/turns.testing.ts'
import { lockDueOrder } from '../../trade/orders/orders.sql.ts'
import type { BuyingChannel } from '../channels/port.ts'
import { claimCarts, claimIntents } from '../intents/writes.sql.ts'
import type { PaymentRail } from '../rails/port.ts'
import { railsByMode } from '../rails/rails.ts'
import { beginIntent } from './begin-intent.ts'
import { type CartState, mayBuy } from './cart-state.ts'
import { createChannels } from './channels.ts'
import { runCart } from './run-cart.ts'

const asItIs = (state: CartState) => state

let app: TestApp
let buyer: Buyer
beforeAll(async () => {
  app = await startTestApp()
  buyer = await newBuyer(app)
})
afterAll(() => app.stop())

/** What is simulated in test mode, and purchases of test mode that may begin. */
const means = { modes: ['test'], channels: ['simulated'], of_ours: [], ends_approval: [false] } as const

const shops = {
  name: 'simulated',
  modes: ['test'],
  payment: 'credential',
  hasStrangers: false,
  longestCallMs: 8000,
} as const
/** A process that was given nothing of what the product has. */
const nowhere = createChannels({ rails: railsByMode({}), channels: [{ ...shops, channel: null }] })

const lasting: Lease = {
  token: 0n,
  remainingMs: () => 30_000,
  assertHeld: () => undefined,
  renewed: () => undefined,
}

function stepOn(row: Claimed, lease: Lease = lasting) {
  const deps = { ...app.parts, log: silentLog(), metrics: createMetrics(), faults: noFaults }
  return createStepContext(deps, {
    kind: 'test',
    row,
    lease,
    signal: new AbortController().signal,
    bound: { isOver: false },
  })
}

function claimed<Prefix extends string>(id: string, token = 0n) {
  const { accountId } = app.account
  // An id of the given kind, as the rows above have it.
  return {
    account_id: accountId,
    mode: 'test',
    id: id as `${Prefix}_${string}`,
    lease_token: token,
    step_failures: 0,
  } as const
}

async function approvedPurchase(): Promise<string> {
  const { body } = await createPurchase(app, buyer)
  await app.post(`/v1/purchase_intents/${body.id}/approve`, { approve: true })
  return body.id
}

test('a worker that lost its lease on a cart does not get the cart', async () => {
  const purchase = await runningPurchase(app, buyer)
  await expect(onHeldCart(app, purchase, asItIs, { leaseToken: 7n })).rejects.toThrow(LeaseLost)
  expect((await onHeldCart(app, purchase, asItIs)).cart.id).toBe(purchase.carts[0])
})

test('a worker that lost its lease on an intent begins nothing', async () => {
  const id = await approvedPurchase()
  const row = claimed<'pi'>(id, 7n)
  await expect(beginIntent(await stepOn(row), row, nowhere)).rejects.toThrow(LeaseLost)
  expect((await readPurchase(app, id)).carts).toEqual([])
  const held = claimed<'pi'>(id)
  await beginIntent(await stepOn(held), held, nowhere)
  expect((await readPurchase(app, id)).carts).toHaveLength(1)
})

test('a cart that no version can buy fails when it is made, without a call to rail or channel, and the others are left', async () => {
  const id = await approvedPurchase()
  const profile = await app.post(
    '/v1/profiles',
    { first_name: 'Ada', last_name: 'Lovelace', email: 'ada@example.com', country: 'US' },
    { key: app.account.keys.secret_live },
  )
  // As if it had been approved in live mode, while there was a rail.
  await app.sql(
    `insert into purchase_intents select (jsonb_populate_record(i, jsonb_build_object('mode', 'live', 'profile_id', $2::text,
       'payment_method_id', null, 'policy_id', null, 'api_key_id', null))).* from purchase_intents i where i.id = $1`,
    [id, profile.body.id],
  )
  const row = { ...claimed<'pi'>(id), mode: 'live' } as const
  await beginIntent(await stepOn(row), row, nowhere)
  const { body } = await app.get(`/v1/purchase_intents/${id}`, { key: app.account.keys.secret_live })
  expect(body).toMatchObject({
    status: 'failed',
    carts: [{ status: 'failed', channel: 'browser', failure_reason: { code: 'merchant_unsupported' } }],
  })
  expect(await app.sql('select due_at, lease_until from carts where intent_id = $1', [id])).toEqual([
    { due_at: null, lease_until: null },
  ])
  // The same in test mode, where the workers that have shops buy from them.
  const test = claimed<'pi'>(id)
  await beginIntent(await stepOn(test), test, nowhere)
  expect(await readPurchase(app, id)).toMatchObject({
    status: 'approved',
    carts: [{ status: 'created', channel: 'simulated' }],
  })
})

test('an intent that begins passes its lease to its first cart, which no other worker gets during its first call', async () => {
  const id = await approvedPurchase()
  const other = await app.parts.pools.single(claimIntents({ ...turnOf(100), ...means }))
  const row = other.rows.find((one) => one.id === id)
  if (!row) throw new Error('the purchase is not due')
  const leases = () =>
    app.parts.pools.read<{ of: string; leased: boolean; token: bigint }>({
      name: '',
      text: `select 'intent' as of, lease_until > now() as leased, lease_token as token from purchase_intents where id = $1
         union all select 'cart', lease_until > now(), lease_token from carts where intent_id = $1`,
      values: [id],
    })
  const called = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<never>()
  const channel: Pick<BuyingChannel, 'offer'> = {
    offer() {
      called.resolve()
      return answered.promise
    },
  }
  const channels = createChannels({
    rails: railsByMode({ test: [{ name: 'sandbox', rail: {} as PaymentRail, circuit: null }] }), // nothing of it is reached
    channels: [{ ...shops, channel: channel as BuyingChannel }], // nor any other function
  })
  const running = beginIntent(await stepOn(row), row, channels)
  await called.promise
  expect(await leases()).toEqual([
    { of: 'intent', leased: null, token: 1n },
    { of: 'cart', leased: true, token: 1n },
  ])
  const claimedCarts = await app.parts.pools.single(claimCarts({ ...turnOf(100), ...means }))
  const [cart] = (await readPurchase(app, id)).carts
  expect(claimedCarts.rows.map((one) => one.id)).not.toContain(cart.id)
  answered.reject(new Error('the shop breaks'))
  await expect(running).rejects.toThrow('the shop breaks')
  // Like the cart of a worker that died: due, under a lease that ends by itself.
  await app.parts.pools.single({
    name: '',
    text: `update carts set lease_until = now() where id = $1`,
    values: [cart.id],
  })
  const again = await app.parts.pools.single(claimCarts({ ...turnOf(100), ...means }))
  expect(again.rows.map((one) => one.id)).toContain(cart.id)
})

test('a row that one worker has claimed goes to no other before the lease ends', async () => {
  const id = await approvedPurchase()
  const { carts } = await runningPurchase(app, buyer)
  for (const [claim, due] of [
    [claimIntents, id],
    [claimCarts, carts[0]],
  ] as const) {
    const claimedIds = async () => {
      const { rows } = await app.parts.pools.single<{ id: string }>(claim({ ...turnOf(100), ...means }))
      return rows.map((row) => row.id)
    }
    expect(await claimedIds()).toContain(due)
    expect(await claimedIds()).toEqual([])
  }
})

test('a call for which too little of the lease is left is never made', async () => {
  const purchase = await runningPurchase(app, buyer)
  let asked = 0
  const channel: Pick<BuyingChannel, 'offer'> = {
    async offer() {
      asked++
      return { kind: 'unavailable' }
    },
  }
  const channels = createChannels({
    rails: railsByMode({ test: [{ name: 'sandbox', rail: {} as PaymentRail, circuit: null }] }), // nothing of it is reached
    channels: [{ ...shops, channel: channel as BuyingChannel }], // nor any other function
  })
  const row = { ...claimed<'cart'>(purchase.carts[0] ?? ''), intent_id: purchase.id as `pi_${string}` }
  const lost: Lease = {
    ...lasting,
    assertHeld() {
      throw new LeaseLost()
    },
  }
  await expect(runCart(await stepOn(row, lost), row, channels)).rejects.toThrow(LeaseLost)
  expect(asked).toBe(0)
})

test('the cart whose price is in question waits for the answer, the others go on', async () => {
  const purchase = await runningPurchase(app, buyer, { items: [tea, cups] })
  const mayBuyNow = async () => mayBuy(await onHeldCart(app, purchase, asItIs))
  const ask = (cartId = '') =>
    app.parts.pools.single({
      name: '',
      text: `update purchase_intents set status = 'awaiting_approval', reapproval = jsonb_build_object('cart_id', $1::text)
        where id = $2`,
      values: [cartId, purchase.id],
    })
  await ask(purchase.carts[0])
  expect(await mayBuyNow()).toBe(false)
  await ask(purchase.carts[1])
  expect(await mayBuyNow()).toBe(true)
})

test('an order expires only when its time is up, while it waits, and by the worker that holds it', async () => {
  const shop = await openShop(app, await app.newAccount('Seller'))
  const { id } = await placeOrder(app, app.account, shop)
  const found = async (token: bigint) =>
    (await app.parts.pools.read(lockDueOrder(claimed<'ord'>(id, token)))).length
  const change = (text: string) =>
    app.parts.pools.single({ name: '', text: `update orders set ${text} where id = $1`, values: [id] })
  expect(await found(0n)).toBe(0)
  await change(`expires_at = now() - interval '1 second'`)
  expect([await found(0n), await found(7n)]).toEqual([1, 0])
  await change(`status = 'cancelled', due_at = null`)
  expect(await found(0n)).toBe(0)
})

test('a lease is over in the process before it is over in the database, by as much as a call needs', () => {
  const lease = createLease(1n, performance.now() - 25_000, 30)
  expect(() => lease.assertHeld(1000)).not.toThrow()
  expect(() => lease.assertHeld(9000)).toThrow(LeaseLost)
  expect(() => createLease(1n, performance.now() - 31_000, 30).assertHeld()).toThrow(LeaseLost)
})

test('a worker that lost a row neither returns nor postpones it', async () => {
  const { carts } = await runningPurchase(app, buyer)
  const [id = ''] = carts
  const { release, postpone } = leaseStatements('carts')
  const later = { seconds: 7200, error: 'Error: of this test' }
  const read = async () =>
    (
      await app.parts.pools.read<{ is_leased: boolean; waits: boolean }>({
        name: '',
        text: `select lease_until is not null as is_leased, due_at > now() + interval '1 hour' as waits from carts where id = $1`,
        values: [id],
      })
    )[0]
  await app.parts.pools.single({
    name: '',
    text: `update carts set lease_token = 5, lease_until = now() + interval '30 seconds' where id = $1`,
    values: [id],
  })
  for (const statement of [release(claimed<'cart'>(id, 4n)), postpone(claimed<'cart'>(id, 4n), later)]) {
    await app.parts.pools.single(statement)
  }
  expect(await read()).toEqual({ is_leased: true, waits: false })
  for (const statement of [postpone(claimed<'cart'>(id, 5n), later), release(claimed<'cart'>(id, 5n))]) {
    await app.parts.pools.single(statement)
  }
  expect(await read()).toEqual({ is_leased: false, waits: true })
  await app.parts.pools.single(postpone(claimed<'cart'>(id, 5n), { ...later, seconds: 0 }))
  expect(await read()).toEqual({ is_leased: false, waits: true })
})
