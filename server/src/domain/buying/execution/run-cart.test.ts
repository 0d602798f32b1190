import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { newBuyer } from '../../../../test/harness/buyers.ts'
import { readPurchase, runningPurchase } from '../../../../test/harness/hand-worker.ts'
import { noFaults } from '../../../platform/faults/faults.ts'
import { silentLog } from '../../../platform/logs/logs.ts'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import type { Lease } from '../../../platform/work/lease.ts'
import { createStepContext } from '../../../platform/work/step-context.ts'
import type { Channels } from './channels.ts'
import type { OfferRequest, OuterChannel, PaymentRail, RailAnswer, RailObject } from './port.ts'
import { runCart } from './run-cart.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const lease: Lease = { token: 0n, remainingMs: () => 30_000, assertHeld: () => undefined }

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
  const channel: Partial<OuterChannel> = {
    payment: 'authorization',
    async offer({ items, currency }: OfferRequest) {
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
    async place() {
      calls.push('place')
      return { kind: 'done', value: { orderRow: null, orderId: 'ORDER-1', transactionId: null } }
    },
  }
  const channels: Channels = {
    of: () => ({ kind: 'outer', channel: channel as OuterChannel }), // what is missing would throw
    rail: () => rail as PaymentRail,
  }
  return { calls, channels }
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

async function run(channels: Channels) {
  const { id, carts } = await runningPurchase(app, await newBuyer(app))
  const row = {
    account_id: app.account.accountId,
    mode: 'test' as const,
    id: carts[0] as `cart_${string}`, // the ids that the worker by hand has made
    intent_id: id as `pi_${string}`,
    lease_token: 0n,
    step_failures: 0,
  }
  const deps = { ...app.parts, log: silentLog(), metrics: createMetrics(), faults: noFaults }
  const { signal } = new AbortController()
  await runCart(
    await createStepContext(deps, { kind: 'carts', row, lease, signal, bound: { isOver: false } }),
    row,
    channels,
  )
  return (await readPurchase(app, id)).carts[0]
}

test.each([
  ['a rail', (channels: Channels) => ({ ...channels, rail: () => null })],
  ['a way of buying', (channels: Channels) => ({ ...channels, of: () => null })],
])('a worker without %s for a cart throws, and has written nothing', async (_, without) => {
  const { channels, calls } = world({ authorize: { kind: 'unknown' } })
  await expect(run(without(channels))).rejects.toThrow('this worker has no means for a cart of simulated')
  expect(calls).toEqual([])
  const open = await app.sql(
    `select c.status, c.failure, c.due_at is not null as is_due from carts c where c.created_at = (select max(created_at) from carts)`,
  )
  expect(open).toEqual([{ status: 'in_progress', failure: null, is_due: true }])
})

test('what the rail answers is what is known: nobody is asked again', async () => {
  const { calls, channels } = world({
    authorize: { kind: 'done', value: railObject('authorized', 2000n) },
    capture: { kind: 'done', value: railObject('captured', 2000n) },
  })
  expect(await run(channels)).toMatchObject({ status: 'succeeded', order_id: 'ORDER-1' })
  expect(calls).toEqual(['authorize', 'place', 'capture'])
})

test('a decline is a decline at once, with what the issuer said', async () => {
  const { calls, channels } = world({
    authorize: { kind: 'refused', refusal: { code: 'declined', declineCode: 'insufficient_funds' } },
  })
  expect(await run(channels)).toMatchObject({
    status: 'failed',
    failure_reason: { code: 'payment_declined', decline_code: 'insufficient_funds' },
  })
  expect(calls).toEqual(['authorize'])
})

test('an answer that did not come is asked for', async () => {
  const { calls, channels } = world({ authorize: { kind: 'unknown' } })
  await run(channels)
  expect(calls).toEqual(['authorize', 'ask'])
})
