import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Buyer, type Buying, startBuying } from '../harness/buying.ts'

/** What one tenant has waiting, or may not do, holds up nobody else. */
let buying: Buying
let busy: Buyer
let other: Buyer
beforeAll(async () => {
  buying = await startBuying()
  busy = await buying.newBuyer()
  other = await buying.newBuyer(undefined, await buying.app.newAccount('Other'))
  await buying.stopWorker()
})
afterEach(() => buying.audit())
afterAll(() => buying?.stop())

const thing = [{ url: 'https://shop.example/thing' }]
const backlog = 150

async function queue(buyer: Buyer, count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) {
    const some = Array.from({ length: Math.min(10, count - ids.length) }, () => buying.buy(buyer, thing))
    for (const { id } of await Promise.all(some)) ids.push(id)
  }
  return ids
}

/** How many of them have started so far. */
async function startedOf(ids: readonly string[], before: string): Promise<number> {
  const [row] = await buying.sql<{ count: number }>(
    `select count(*)::int as count from purchase_intents
     where id = any($1) and started_at < (select started_at from purchase_intents where id = $2)`,
    [ids, before],
  )
  return row?.count ?? 0
}

test('a purchase begins at once, although another tenant has queued many before it', async () => {
  const waiting = await queue(busy, backlog)
  const [one = ''] = await queue(other, 1)
  const worker = buying.startWorker()
  expect(await buying.ended(other, one)).toMatchObject({ status: 'succeeded' })
  // Both are in the first claim; what runs beside it is what one tenant has places for.
  expect(await startedOf(waiting, one)).toBeLessThanOrEqual(32)
  expect(await startedOf(waiting, one)).toBeLessThan(backlog)
  for (const id of waiting) await buying.ended(busy, id)
  await worker.stop()
})

test('purchases of a frozen account are left alone until the freeze ends, and then go on at once', async () => {
  const frozen = await queue(busy, 5)
  const target = { target: { type: 'account' } }
  expect((await buying.app.post('/v1/controls/freeze', target, { key: busy.key })).status).toBe(200)
  const worker = buying.startWorker()
  const dueOf = () =>
    buying.sql<{ minutes: number; lease_token: bigint }>(
      `select extract(epoch from due_at - now())::float8 / 60 as minutes, lease_token from carts
       where intent_id = any($1) and lease_until is null order by id`,
      [frozen],
    )
  await expect.poll(async () => (await dueOf()).filter(({ minutes }) => minutes > 14).length).toBe(5)
  const before = await dueOf()
  const [one = ''] = await queue(other, 1)
  expect(await buying.ended(other, one)).toMatchObject({ status: 'succeeded' })
  expect((await dueOf()).map(({ lease_token }) => lease_token)).toEqual(
    before.map(({ lease_token }) => lease_token),
  )
  expect((await buying.app.post('/v1/controls/unfreeze', target, { key: busy.key })).status).toBe(200)
  for (const id of frozen) expect(await buying.ended(busy, id)).toMatchObject({ status: 'succeeded' })
  await worker.stop()
})
