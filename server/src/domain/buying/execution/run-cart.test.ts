import { inspect } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { type Buyer, newBuyer } from '../../../../test/harness/buyers.ts'
import { readPurchase, runningPurchase } from '../../../../test/harness/hand-worker.ts'
import { recordPools } from '../../../../test/harness/recorded-pools.ts'
import { noFaults } from '../../../platform/faults/faults.ts'
import { silentLog } from '../../../platform/logs/logs.ts'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import type { Lease } from '../../../platform/work/lease.ts'
import { createStepContext } from '../../../platform/work/step-context.ts'
import type { BuyingChannel, OfferRequest, PlaceRequest } from '../channels/port.ts'
import type { PaymentRail, RailAnswer, RailObject } from '../rails/port.ts'
import { railsByMode } from '../rails/rails.ts'
import { createChannels, type ExecutionDeps } from './channels.ts'
import { runCart } from './run-cart.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const lease: Lease = {
  token: 0n,
  remainingMs: () => 30_000,
  assertHeld: () => undefined,
  renewed: () => undefined,
}

const terms = {
  name: 'simulated',
  modes: ['test'],
  payment: 'authorization',
  hasStrangers: false,
  longestCallMs: 8000,
} as const

/** A shop and a rail that write down every call. What is not called here does not exist. */
function world(answers: { authorize: RailAnswer; capture?: RailAnswer }) {
  const calls: string[] = []
  const rail: Partial<PaymentRail> = {
    async authorize() {
      calls.push('authorize')
      return answers.authorize
    },
    async capture() {
      calls.push('capture')
      return answers.capture ?? { kind: 'unknown' }
    },
    async ask() {
      calls.push('ask')
      return { kind: 'not_found' }
    },
  }
  const requests: (OfferRequest | PlaceRequest)[] = []
  const channel: Partial<BuyingChannel> = {
    async offer(request) {
      requests.push(request)
      const { items, currency } = request
      const lines = items.map(({ id, quantity, unitAmount }) => ({
        itemId: id,
        quantity,
        unitAmount,
        title: null,
        listing: null,
      }))
      const total = lines.reduce((sum, line) => sum + line.unitAmount * BigInt(line.quantity), 0n)
      const nothing = { fulfillment: 0n, tax: 0n, discount: 0n }
      return {
        kind: 'offer',
        offer: { reference: null, lines, subtotal: total, ...nothing, total, currency },
      }
    },
    async place(request) {
      requests.push(request)
      calls.push('place')
      return { kind: 'done', value: { orderId: 'ORDER-1', transactionId: null } }
    },
  }
  const deps: ExecutionDeps = {
    rails: railsByMode({ test: [{ name: 'sandbox', rail: rail as PaymentRail, circuit: null }] }), // what is missing would throw
    channels: [{ ...terms, channel: channel as BuyingChannel }], // nor is more of this one reached
  }
  return { calls, requests, deps }
}

function railObject(status: RailObject['status'], amount: bigint): RailObject {
  const isCaptured = status === 'captured'
  return {
    reference: 'auth_1',
    status,
    amount,
    capturedAmount: isCaptured ? amount : 0n,
    currency: 'EUR',
    captureReference: isCaptured ? 'cap_1' : null,
  }
}

async function run(means: ExecutionDeps, buyer?: Buyer, pools = app.parts.pools) {
  const { id, carts } = await runningPurchase(app, buyer ?? (await newBuyer(app)))
  const row = {
    account_id: app.account.accountId,
    mode: 'test' as const,
    id: carts[0] as `cart_${string}`, // the ids that the worker by hand has made
    intent_id: id as `pi_${string}`,
    lease_token: 0n,
    step_failures: 0,
  }
  const deps = { ...app.parts, pools, log: silentLog(), metrics: createMetrics(), faults: noFaults }
  const { signal } = new AbortController()
  await runCart(
    await createStepContext(deps, { kind: 'carts', row, lease, signal, bound: { isOver: false } }),
    row,
    createChannels(means),
  )
  return (await readPurchase(app, id)).carts[0]
}

test.each([
  ['a rail', (deps: ExecutionDeps) => ({ ...deps, rails: railsByMode({}) })],
  ['a way of buying', (deps: ExecutionDeps) => ({ ...deps, channels: [{ ...terms, channel: null }] })],
])('a worker without %s for a cart throws, and has written nothing', async (_, without) => {
  const { deps, calls } = world({ authorize: { kind: 'unknown' } })
  await expect(run(without(deps))).rejects.toThrow('this worker has no means for a cart of simulated')
  expect(calls).toEqual([])
  const open = await app.sql(
    `select c.status, c.failure, c.due_at is not null as is_due from carts c where c.created_at = (select max(created_at) from carts)`,
  )
  expect(open).toEqual([{ status: 'in_progress', failure: null, is_due: true }])
})

test('the answer of the rail decides, and the rail is not asked again', async () => {
  const { calls, deps } = world({
    authorize: { kind: 'done', value: railObject('authorized', 2000n) },
    capture: { kind: 'done', value: railObject('captured', 2000n) },
  })
  expect(await run(deps)).toMatchObject({ status: 'succeeded', order_id: 'ORDER-1' })
  expect(calls).toEqual(['authorize', 'place', 'capture'])
})

test('a decline is a decline at once, with what the issuer said', async () => {
  const { calls, deps } = world({
    authorize: { kind: 'refused', refusal: { code: 'declined', declineCode: 'insufficient_funds' } },
  })
  expect(await run(deps)).toMatchObject({
    status: 'failed',
    failure_reason: { code: 'payment_declined', decline_code: 'insufficient_funds' },
  })
  expect(calls).toEqual(['authorize'])
})

test('an answer that did not come is asked for', async () => {
  const { calls, deps } = world({ authorize: { kind: 'unknown' } })
  await run(deps)
  expect(calls).toEqual(['authorize', 'ask'])
})

test('a channel gets the buyer with the offer and with the order, without a read and without an id', async () => {
  const buyer = await newBuyer(app)
  const { requests, deps } = world({
    authorize: { kind: 'done', value: railObject('authorized', 2000n) },
    capture: { kind: 'done', value: railObject('captured', 2000n) },
  })
  const recorder = recordPools(app.parts.pools)
  const sent = await recorder.record(async () => {
    expect(await run(deps, buyer, recorder.pools)).toMatchObject({ status: 'succeeded' })
  })
  const address = {
    recipientName: 'Ada Lovelace',
    line1: 'Unter den Linden 1',
    line2: null,
    city: 'Berlin',
    state: null,
    postalCode: '10117',
    country: 'DE',
  }
  const told = {
    name: 'Ada Lovelace',
    firstName: 'Ada',
    lastName: 'Lovelace',
    email: 'ada@example.com',
    phone: null,
    shipTo: address,
    billTo: address,
  }
  expect(requests.map((request) => request.buyer)).toEqual([told, told])
  expect(sent.filter(({ statement }) => statement.text.includes('from profiles'))).toEqual([])
  expect(inspect(requests, { depth: null })).not.toMatch(/\b(?:prof|acct|addr|pm)_/)
})
