import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { newBuyer } from '../../../../../test/harness/buyers.ts'
import { readPurchase, runningPurchase } from '../../../../../test/harness/hand-worker.ts'
import { pageEvidence, pngOf } from '../../../../../test/harness/pictures.ts'
import type { Pools } from '../../../../platform/database/pool.ts'
import { noFaults } from '../../../../platform/faults/faults.ts'
import { createLog } from '../../../../platform/logs/logs.ts'
import { createMetrics } from '../../../../platform/metrics/metrics.ts'
import { createLease, LeaseLost } from '../../../../platform/work/lease.ts'
import { createStepContext } from '../../../../platform/work/step-context.ts'
import type { BuyingChannel, ChannelCall } from '../../channels/port.ts'
import type { PaymentRail, RailObject } from '../../rails/port.ts'
import { railsByMode } from '../../rails/rails.ts'
import { timing } from '../../rails/timing.ts'
import { createChannels, type ExecutionDeps } from '../channels.ts'
import { runCart } from '../run-cart.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

type Pages = { offer?(call: ChannelCall): Promise<void>; place?(call: ChannelCall): Promise<void> }

/** A way of buying with pages, which does this while it is asked for its price and while it orders. */
function means(pages: Pages, longestCallMs = 240_000): ExecutionDeps {
  const channel: Partial<BuyingChannel> = {
    async offer({ items, currency }, call) {
      await pages.offer?.(call)
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
    async place(_, call) {
      await pages.place?.(call)
      return { kind: 'done', value: { orderId: 'ORDER-1', transactionId: null } }
    },
  }
  const held =
    (status: RailObject['status'], capturedAmount: bigint) => async (_: unknown, call: ChannelCall) => {
      expect(call.onEvidence).toBeUndefined()
      const captureReference = status === 'captured' ? 'cap_1' : null
      const money = { amount: 2000n, capturedAmount, currency: 'EUR', captureReference }
      return { kind: 'done', value: { reference: 'auth_1', status, ...money } } as const
    }
  const rail: Partial<PaymentRail> = { authorize: held('authorized', 0n), capture: held('captured', 2000n) }
  return {
    rails: railsByMode({ test: [{ name: 'sandbox', rail: rail as PaymentRail, circuit: null }] }), // what is missing would throw
    channels: [
      {
        name: 'simulated',
        modes: ['test'],
        payment: 'authorization',
        hasStrangers: false,
        longestCallMs,
        channel: channel as BuyingChannel, // nor is more of this one reached
      },
    ],
  }
}

type Line = { level: string; msg: string; [field: string]: unknown }

/** A worker buys the one cart of a purchase. */
async function buy(pages: Pages, options: { pools?: Pools; longestCallMs?: number } = {}) {
  const purchase = await runningPurchase(app, await newBuyer(app))
  const row = {
    account_id: app.account.accountId,
    mode: 'test' as const,
    id: purchase.carts[0] as `cart_${string}`, // the ids that the worker by hand has made
    intent_id: purchase.id as `pi_${string}`,
    lease_token: 0n,
    step_failures: 0,
  }
  const lines: Line[] = []
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) }
  const log = createLog({ level: 'info', role: 'test', destination })
  const pools = options.pools ?? app.parts.pools
  const deps = { ...app.parts, pools, log, metrics: createMetrics(), faults: noFaults }
  const step = await createStepContext(deps, {
    kind: 'carts',
    row,
    lease: createLease(0n, performance.now(), timing.leaseSeconds * 10),
    signal: new AbortController().signal,
    bound: { isOver: false },
  })
  const run = () => runCart(step, row, createChannels(means(pages, options.longestCallMs)))
  return { purchase, lines, run }
}

async function stagesOf(id: string): Promise<string[]> {
  const { body } = await app.get(`/v1/purchase_intents/${id}/evidence?limit=200`)
  return body.data.map(({ stage, attempt }: { stage: string; attempt: number }) => `${stage} ${attempt}`)
}

const statusOf = async (id: string) => (await readPurchase(app, id)).carts[0].status

test.each([
  ['a long call', 240_000],
  ['a short call', 8_000],
])(
  'pictures that a way of buying hands over in %s are kept in their order, whether it waits or not',
  async (_, longestCallMs) => {
    const { purchase, run, lines } = await buy(
      {
        async offer(call) {
          for (const stage of ['product', 'cart', 'address', 'review'] as const)
            await call.onEvidence?.(pageEvidence({ stage }))
        },
        async place(call) {
          for (const stage of ['payment', 'after_submit', 'confirmation'] as const)
            void call.onEvidence?.(pageEvidence({ stage }))
        },
      },
      { longestCallMs },
    )
    await run()
    expect(await statusOf(purchase.id)).toBe('succeeded')
    const stages = ['product', 'cart', 'address', 'review', 'payment', 'after_submit', 'confirmation']
    expect(await stagesOf(purchase.id)).toEqual(stages.map((stage) => `${stage} 1`))
    expect(lines).toEqual([])
  },
)

test('a picture can be read while the call still runs', async () => {
  const seen: string[][] = []
  const { purchase, run } = await buy({
    async offer(call) {
      await call.onEvidence?.(pageEvidence({ stage: 'product' }))
      seen.push(await stagesOf(purchase.id))
    },
  })
  await run()
  expect(seen).toEqual([['product 1']])
})

test('of a flood of pictures 40 are kept for the attempt, all calls together, and the log counts the others', async () => {
  const flood = (stage: 'product' | 'payment') => async (call: ChannelCall) => {
    for (let count = 0; count < 30; count++) void call.onEvidence?.(pageEvidence({ stage }))
    void call.onEvidence?.(pageEvidence({ stage, picture: pngOf('too large', 1_048_577) }))
  }
  const { purchase, run, lines } = await buy({ offer: flood('product'), place: flood('payment') })
  await run()
  expect(await statusOf(purchase.id)).toBe('succeeded')
  const kept = await stagesOf(purchase.id)
  expect(kept).toEqual([
    ...Array.from({ length: 30 }, () => 'product 1'),
    ...Array.from({ length: 10 }, () => 'payment 1'),
  ])
  expect(lines.map(({ level, kept, dropped }) => `${level} ${kept} ${dropped}`)).toEqual([
    'info 30 1',
    'info 10 21',
  ])
})

test('a picture that cannot be stored fails nothing, and the log has no word of it', async () => {
  const { pools } = app.parts
  const failing: Pools = {
    ...pools,
    single(statement, tenant) {
      if (statement.name === 'insert_purchase_evidence') throw new Error('the disk is full')
      return pools.single(statement, tenant)
    },
  }
  const { purchase, run, lines } = await buy(
    {
      async offer(call) {
        await call.onEvidence?.(pageEvidence({ picture: pngOf('the secret of the kettle') }))
      },
    },
    { pools: failing },
  )
  await run()
  expect(await statusOf(purchase.id)).toBe('succeeded')
  expect(await stagesOf(purchase.id)).toEqual([])
  expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
    ['warn', 'cart: a picture of its page was not kept'],
  ])
  expect(JSON.stringify(lines)).not.toMatch(/kettle|classic\.shop|32\.40/)
})

test('a call whose cart somebody else has taken keeps no picture from then on', async () => {
  const { purchase, run } = await buy({
    async offer(call) {
      await call.onEvidence?.(pageEvidence({ stage: 'product' }))
      await app.sql('update carts set lease_token = lease_token + 1 where id = $1', [purchase.carts[0]])
      await call.onEvidence?.(pageEvidence({ stage: 'cart' }))
      await call.onEvidence?.(pageEvidence({ stage: 'address' }))
    },
  })
  await expect(run()).rejects.toThrow(LeaseLost)
  expect(await stagesOf(purchase.id)).toEqual(['product 1'])
})
