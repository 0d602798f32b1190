import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import type { CrashPoint } from '../../src/platform/faults/faults.ts'
import { type Buyer, type Buying, type Purchase, startBuying } from '../harness/buying.ts'
import { startDoomedWorker } from '../harness/doomed-worker.ts'
import { newLiveBuyer } from '../harness/live-buyers.ts'
import { answerOrder, type NativeShop, openNativeShop } from '../harness/native-shops.ts'
import { stripeSimulator } from '../harness/stripe.ts'

/**
 * Live mode where workers die and answers are lost. What Stripe's simulator remembers is the witness: one hold and one capture for a
 * purchase that was bought, and nothing held for one that was not.
 */
let buying: Buying
let shop: NativeShop
let stripe: ReturnType<typeof stripeSimulator>

beforeAll(async () => {
  buying = await startBuying({ live: true, testClock: true })
  await installTestClock(buying.app.databaseUrl)
  shop = await openNativeShop(buying, 'live')
  stripe = stripeSimulator(buying.sandbox)
  await stripe.searchDelay(0)
  await buying.stopWorker()
})
afterEach(async () => {
  await stripe.clearFaults()
  await buying.audit()
})
afterAll(() => buying?.stop())

/** A process of the product that dies at the point: it works until then, and by nobody's hand. */
async function dieAt(point: CrashPoint): Promise<void> {
  const { ended, said } = startDoomedWorker(buying, point)
  expect(await ended, said()).toBe('SIGKILL')
}

/** The lease of the dead ends, and what waits is looked at. */
async function pass(seconds: number): Promise<void> {
  buying.passInProcess(seconds)
  await advanceTestClock(buying.app.databaseUrl, seconds)
}

/** It is asked about now and then; a test does not wait for that. */
async function soon(buyer: Buyer, id: string, is: (intent: Purchase) => boolean): Promise<void> {
  async function looked(): Promise<boolean> {
    await pass(60)
    return is(await buying.read(buyer, id))
  }
  await expect.poll(looked, { interval: 200 }).toBe(true)
}

async function orderOf(buyer: Buyer, id: string): Promise<string> {
  const intent = await buying.until(buyer, id, ({ carts }) => typeof carts[0]?.order === 'string')
  return String(intent.carts[0]?.order)
}

/** A worker that lives works until this is over. */
async function working<T>(work: () => Promise<T>): Promise<T> {
  const worker = buying.startWorker()
  return work().finally(() => worker.stop())
}

const bought = ['confirm 1000 requires_capture', 'capture 1000 succeeded']
const released = ['confirm 1000 requires_capture', 'void 1000 succeeded']

describe('a worker that dies', () => {
  test.each([
    ['claim.after', 'confirmed'],
    ['authorize.before', 'confirmed'],
    ['authorize.after', 'confirmed'],
    ['authorize.after', 'rejected'],
    ['step.commit.after', 'confirmed'],
  ] as const)('at %s before its merchant has %s leaves one hold', async (point, outcome) => {
    const buyer = await newLiveBuyer(buying)
    const { id } = await buying.buy(buyer, [{ url: shop.url }])
    await dieAt(point)
    await pass(120)
    await working(async () => {
      await answerOrder(buying, shop, await orderOf(buyer, id), outcome)
      await buying.ended(buyer, id)
      await buying.settled()
    })
    expect(await stripe.moneyOf(id)).toEqual(outcome === 'confirmed' ? bought : released)
  })

  test.each([
    ['capture.before', 'confirmed'],
    ['capture.after', 'confirmed'],
    ['void.before', 'rejected'],
    ['void.after', 'rejected'],
  ] as const)('at %s once its merchant has %s moves the money once', async (point, outcome) => {
    const buyer = await newLiveBuyer(buying)
    const { id } = await buying.buy(buyer, [{ url: shop.url }])
    await answerOrder(buying, shop, await working(() => orderOf(buyer, id)), outcome)
    await dieAt(point)
    await pass(120)
    await working(async () => {
      await buying.ended(buyer, id)
      await buying.settled()
    })
    expect(await stripe.moneyOf(id)).toEqual(outcome === 'confirmed' ? bought : released)
  })
})

describe('an answer of Stripe', () => {
  test.each([
    ['create', 'lose_answer'],
    ['confirm', 'lose_answer'],
    ['confirm', 'fail_after'],
    ['confirm', 'drop_request'],
    ['confirm', 'status=429;retry_after=1'],
    ['capture', 'lose_answer'],
    ['capture', 'fail_after'],
    ['capture', 'status=429'],
  ])('to %s that comes to %s is found out, and the money moves once', async (operation, fault) => {
    const buyer = await newLiveBuyer(buying)
    await stripe.fault(operation, fault)
    const { id } = await buying.buy(buyer, [{ url: shop.url }])
    await working(async () => {
      await soon(buyer, id, ({ carts }) => typeof carts[0]?.order === 'string')
      await answerOrder(buying, shop, await orderOf(buyer, id), 'confirmed')
      await soon(buyer, id, ({ status }) => status === 'succeeded')
      await buying.settled()
    })
    buying.complaints()
    expect(await stripe.moneyOf(id)).toEqual(bought)
  })

  test.each(['fail', 'fail_after'])(
    'to create that comes to %s for good ends the purchase, and nothing is held',
    async (fault) => {
      const buyer = await newLiveBuyer(buying)
      // Stripe repeats a failure to its key for a day.
      await stripe.fault('create', fault)
      const { id } = await buying.buy(buyer, [{ url: shop.url }])
      await working(async () => {
        await soon(buyer, id, ({ status }) => status === 'failed')
        await buying.settled()
      })
      buying.complaints()
      expect((await buying.read(buyer, id)).carts[0]).toMatchObject({ can_retry: true, actual_amount: 0 })
      expect(await stripe.moneyOf(id)).toEqual([])
    },
  )
})
