import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { CrashPoint } from '../../src/platform/faults/faults.ts'
import { type Buyer, type Buying, startBuying } from '../harness/buying.ts'

let buying: Buying
let buyer: Buyer

beforeAll(async () => {
  buying = await startBuying()
  buyer = await buying.newBuyer()
})
afterEach(() => buying.audit())
afterAll(() => buying?.stop())

const url = 'https://shop.example/thing'

async function log(id: string): Promise<string[]> {
  const entries = await buying.sandbox.processorLog()
  return entries
    .filter(({ reference }) => reference?.includes(id))
    .map(({ operation, result }) => `${operation} ${result}`)
}

/** Ends the lease of an intent's cart now, without its holder. */
async function endLease(id: string): Promise<void> {
  await buying.sql('update carts set lease_until = now(), due_at = now() where intent_id = $1', [id])
}

/** A purchase whose worker is held up at the point while another one takes the cart over and finishes. */
async function takenOverAt(point: CrashPoint): Promise<{ id: string; resume(): void }> {
  const pause = buying.faults.pause(point)
  const { id } = await buying.buy(buyer, [{ url }])
  await pause.reached
  await endLease(id)
  return { id, resume: pause.resume }
}

test.each<CrashPoint>([
  'offer.before',
  'offer.after',
  'issue_credential.before',
  'issue_credential.after',
  'place.after',
])(
  'a worker held up at %s that lost its lease writes nothing, and the purchase is made once by another',
  async (point) => {
    const { id, resume } = await takenOverAt(point)
    const intent = await buying.ended(buyer, id)
    expect(intent).toMatchObject({ status: 'succeeded', actual_amount: 1380 })
    const before = await buying.eventTypes(buyer, id)
    resume()
    // The worker that comes back too late must have come back before the test can check it.
    const again = await buying.buy(buyer, [{ url }])
    expect(await buying.ended(buyer, again.id)).toMatchObject({ status: 'succeeded' })
    expect(await buying.eventTypes(buyer, id)).toEqual(before)
    expect(await log(id)).toEqual(['issue_credential approved', 'capture approved'])
  },
)

test('an order that a held-up worker is about to place is closed before anybody says that it was not placed', async () => {
  const { id, resume } = await takenOverAt('place.before')
  await expect
    .poll(() => buying.sql(`select heard from effects where intent_id = $1 and step = 'place'`, [id]))
    .toEqual([{ heard: 'closed' }])
  expect((await buying.read(buyer, id)).status).toBe('approved')
  // The proof takes until the lease of the other one has ended and the longest call has passed: as if it had.
  await buying.sql(`update effects set not_before = now() where intent_id = $1`, [id])
  await endLease(id)
  expect(await buying.ended(buyer, id)).toMatchObject({
    status: 'failed',
    failure_reason: { code: 'merchant_unavailable', retry_policy: 'same' },
  })
  resume()
  await expect
    .poll(async () => (await buying.sandbox.shopsLog()).filter(({ key }) => key.includes(':place')).length)
    .toBeGreaterThan(0)
  await buying.settled()
  expect(await log(id)).toEqual(['issue_credential approved', 'revoke revoked'])
})

test('a worker that dies between the answer and its record is succeeded by one that asks', async () => {
  const { id, resume } = await takenOverAt('place.after')
  expect(await buying.ended(buyer, id)).toMatchObject({ status: 'succeeded' })
  const effects = await buying.sql(
    `select step, state, tries from effects where intent_id = $1 order by step`,
    [id],
  )
  expect(effects).toEqual([
    { step: 'issue_credential', state: 'done', tries: 1 },
    { step: 'place', state: 'done', tries: 1 },
  ])
  resume()
})
