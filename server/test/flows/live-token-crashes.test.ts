import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { advanceTestClock, installTestClock } from '../../src/platform/clock/test-clock.ts'
import type { CrashPoint } from '../../src/platform/faults/faults.ts'
import { type Buying, startBuying } from '../harness/buying.ts'
import { startDoomedWorker } from '../harness/doomed-worker.ts'
import { newLiveBuyer } from '../harness/live-buyers.ts'
import { openStrangers } from '../harness/strangers.ts'
import { stripeSimulator } from '../harness/stripe.ts'

/** Live mode over UCP and MPP where workers die: one token is charged once, or none is charged and none can be any more. */
let buying: Buying
let stripe: ReturnType<typeof stripeSimulator>
let strangers: ReturnType<typeof openStrangers>
const folder = mkdtempSync(join(tmpdir(), 'prokura-tokens-'))
const names = join(folder, 'names.json')

beforeAll(async () => {
  buying = await startBuying({ live: true, testClock: true, strangers: true })
  await installTestClock(buying.app.databaseUrl)
  stripe = stripeSimulator(buying.sandbox)
  strangers = openStrangers(buying)
  for (const host of ['ucp', 'mpp']) await strangers.know(`${host}.shop.test`, null, [], 'live')
  writeFileSync(names, JSON.stringify(buying.sandbox.names))
  await buying.stopWorker()
})
afterEach(() => buying.audit())
afterAll(async () => {
  await buying?.stop()
  rmSync(folder, { recursive: true })
})

async function dieAt(point: CrashPoint): Promise<void> {
  const settings = { PROKURA_STRIPE_TOKENS: 'on', PROKURA_SANDBOX_NAMES_FILE: names }
  const { ended, said } = startDoomedWorker(buying, point, { settings })
  expect(await ended, said()).toBe('SIGKILL')
}

const [overUcp, overMpp] = [
  { shop: 'ucp', url: 'https://ucp.shop.test/products/kettle', amount: 2_500, method: 'ship', cost: 3_240 },
  { shop: 'mpp', url: 'https://mpp.shop.test/v1/token-forecast', amount: 250, method: 'digital', cost: 250 },
] as const
const declined = { ...overUcp, url: 'https://ucp.shop.test/products/declined', cost: 0 } as const

// An order that the shop has not got is closed there, and the purchase can be tried again.
const notOrdered = { ...overUcp, cost: 0 }

test.each([
  ['issue_credential.before', overUcp],
  ['issue_credential.after', overUcp],
  ['place.before', notOrdered],
  ['place.after', overUcp],
  ['revoke.before', declined],
  ['revoke.after', declined],
  ['issue_credential.after', overMpp],
  ['place.after', overMpp],
] as const)(
  'a worker that dies at %s pays for what it bought once, and for nothing else',
  async (point, wanted) => {
    const { shop, url, amount, method, cost } = wanted
    const buyer = await newLiveBuyer(buying)
    const [sold, moved] = [(await strangers.orders(shop)).length, (await stripe.log()).length]
    const { id } = await buying.buy(buyer, [{ url, amount }], {
      preferences: { fulfillment: { method } },
      max_amount: 12_000,
    })
    await dieAt(point)
    buying.passInProcess(120)
    await advanceTestClock(buying.app.databaseUrl, 120)
    const worker = buying.startWorker()
    const { status, actual_amount } = await buying.until(buyer, id, (one) => {
      void advanceTestClock(buying.app.databaseUrl, 2)
      return ['succeeded', 'failed'].includes(one.status)
    })
    await buying.settled()
    await worker.stop()
    buying.complaints()
    expect([status, actual_amount]).toEqual([cost > 0 ? 'succeeded' : 'failed', cost])
    const taken = (await strangers.orders(shop))
      .slice(sold)
      .reduce((sum, one) => sum + Number(one.captured), 0)
    const moves = (await stripe.log()).slice(moved).map(({ operation }) => operation)
    expect(taken).toBe(cost)
    expect(moves).toEqual(cost > 0 ? ['issue', 'confirm', 'capture'] : ['issue', 'revoke'])
  },
)
