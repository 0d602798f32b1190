import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestRail } from '../../src/cli/open-rail.ts'
import { cartWork, intentWork } from '../../src/domain/buying/execution/work.ts'
import { type PaymentRail, railsByMode } from '../../src/domain/buying/rails/public.ts'
import { refundWork } from '../../src/domain/buying/refunds/work.ts'
import { noFaults } from '../../src/platform/faults/faults.ts'
import { silentLog } from '../../src/platform/logs/logs.ts'
import { createMetrics } from '../../src/platform/metrics/metrics.ts'
import { createWorker } from '../../src/platform/work/worker.ts'
import { type Buyer, type Buying, startBuying } from '../harness/buying.ts'
import { answerOrder, type NativeShop, openNativeShop } from '../harness/native-shops.ts'
import { type Sandbox, startSandbox } from '../harness/sandbox.ts'

/** The rail of an account changes, and what the one before holds is captured, released, asked about and refunded there. */
let buying: Buying
let buyer: Buyer
let shop: NativeShop
let other: Sandbox
let opened: Record<Name, ReturnType<typeof openTestRail>>
type Name = 'sandbox' | 'second'

/** Every call, with the rail that it went to. */
const calls: string[] = []
let losesAuthorize = false

beforeAll(async () => {
  buying = await startBuying()
  await buying.stopWorker()
  buyer = await buying.newBuyer()
  shop = await openNativeShop(buying)
  other = await startSandbox()
  opened = { sandbox: openTestRail(buying.sandbox.processorUrl), second: openTestRail(other.processorUrl) }
})
beforeEach(() => void calls.splice(0))
afterEach(() => buying.audit())
afterAll(async () => {
  await opened?.sandbox.close()
  await opened?.second.close()
  await other?.stop()
  await buying?.stop()
})

function written(name: Name): PaymentRail {
  const { rail } = opened[name]
  return new Proxy(rail, {
    get(_, method: keyof PaymentRail) {
      const make = rail[method] as (...given: unknown[]) => Promise<unknown> // it is called as it would be
      if (typeof make !== 'function') return make
      return async (...given: unknown[]) => {
        calls.push(`${name} ${method}`)
        const answer = await make(...given)
        if (method !== 'authorize' || !losesAuthorize) return answer
        losesAuthorize = false
        return { kind: 'unknown' }
      }
    },
  })
}

/** A process with these rails does what is due; the first of them is that of every account. */
async function work(...names: Name[]): Promise<void> {
  const rails = names.map((name) => ({ name, rail: written(name), circuit: null }))
  const means = { rails: railsByMode({ test: rails }), channels: [] }
  const kinds = [intentWork(means), cartWork(means), refundWork(means.rails)]
  const deps = { ...buying.app.parts, log: silentLog(), metrics: createMetrics(), faults: noFaults }
  const worker = createWorker({ ...deps, kinds })
  for (let done = 1; done > 0; ) {
    done = 0
    for (const { kind } of kinds) done += await worker.runOnce(kind)
  }
}

const cartsDue = () =>
  buying.sql(`update carts set due_at = now(), lease_until = null where due_at is not null`)

/** A purchase whose money is held, and whose merchant has not answered. */
async function ordered(...names: Name[]): Promise<{ id: string; order: string }> {
  const { id } = await buying.buy(buyer, [{ url: shop.url }])
  const order = async () => {
    await work(...names)
    return (await buying.read(buyer, id)).carts[0]?.order
  }
  await expect.poll(order).toMatch(/^ord_/)
  return { id, order: String((await buying.read(buyer, id)).carts[0]?.order) }
}

async function bought({ id, order }: { id: string; order: string }, ...names: Name[]): Promise<void> {
  await answerOrder(buying, shop, order, 'confirmed')
  const status = async () => {
    await cartsDue()
    await work(...names)
    return (await buying.read(buyer, id)).status
  }
  await expect.poll(status).toBe('succeeded')
}

async function refunded(order: string, ...names: Name[]): Promise<void> {
  const key = shop.seller.keys.secret_test
  await buying.app.post(`/v1/merchant/orders/${order}/refunds`, { amount: 300 }, { key })
  await work('second')
  expect(
    await buying.sql('select status, step_error from order_refunds where order_id = $1', [order]),
  ).toEqual([{ status: 'pending', step_error: expect.stringContaining('this worker has no rail sandbox') }])
  await buying.sql('update order_refunds set due_at = now(), lease_until = null where order_id = $1', [order])
  await work(...names)
  expect(await buying.sql('select status, rail from order_refunds where order_id = $1', [order])).toEqual([
    { status: 'succeeded', rail: 'sandbox' },
  ])
}

async function railsOf(id: string): Promise<unknown> {
  return await buying.sql(
    `select step, rail from effects where intent_id = $1
     union all select 'hold', rail from authorizations where intent_id = $1 order by 1`,
    [id],
  )
}

test('money is captured and given back where it was held, whichever rail the account has by then', async () => {
  const first = await ordered('sandbox')
  await bought(first, 'second', 'sandbox')
  await refunded(first.order, 'second', 'sandbox')
  expect(calls).toEqual(['sandbox authorize', 'sandbox capture', 'sandbox refund'])
  expect(await railsOf(first.id)).toEqual([
    { step: 'authorize', rail: 'sandbox' },
    { step: 'capture', rail: 'sandbox' },
    { step: 'hold', rail: 'sandbox' },
    { step: 'place', rail: null },
  ])
  calls.splice(0)
  await bought(await ordered('second', 'sandbox'), 'second', 'sandbox')
  expect(calls).toEqual(['second authorize', 'second capture'])
})

test('an authorization without an answer is asked about at the rail that it was sent to', async () => {
  losesAuthorize = true
  const { id } = await buying.buy(buyer, [{ url: shop.url }])
  await expect
    .poll(async () => {
      await work('sandbox')
      return calls.length
    })
    .toBeGreaterThan(0)
  const order = async () => {
    await cartsDue()
    await work('second', 'sandbox')
    return (await buying.read(buyer, id)).carts[0]?.order
  }
  await expect.poll(order).toMatch(/^ord_/)
  expect([...new Set(calls)]).toEqual(['sandbox authorize', 'sandbox ask'])
  await bought({ id, order: String(await order()) }, 'second', 'sandbox')
  expect(calls.at(-1)).toBe('sandbox capture')
})

test('money is released where it was held, and a process without that rail waits, and is seen to', async () => {
  const { id, order } = await ordered('sandbox')
  await answerOrder(buying, shop, order, 'rejected')
  // As often as ends a purchase for which no money is held.
  for (let count = 0; count < 12; count++) {
    await cartsDue()
    await work('second')
  }
  const steps = await buying.sql(
    'select step_failures >= 10 as is_failing, step_error from carts where intent_id = $1',
    [id],
  )
  const step_error = expect.stringContaining('this worker has no rail sandbox')
  expect(steps).toEqual([{ is_failing: true, step_error }])
  expect((await buying.read(buyer, id)).carts[0]).toMatchObject({ status: 'in_progress' })
  await cartsDue()
  await work('second', 'sandbox')
  expect(await buying.read(buyer, id)).toMatchObject({ status: 'failed' })
  expect(calls).toEqual(['sandbox authorize', 'sandbox void'])
})
