import { afterAll, beforeAll, expect, test } from 'vitest'
import { patientMs } from '../gate/pace.ts'
import { type Answer, startTestApp, type TestApp } from '../harness/app.ts'
import { type Buyer, createPurchase, newBuyer } from '../harness/buyers.ts'
import { SharedHints, startOtherApi } from '../harness/other-api.ts'
import { Waits } from '../harness/waits.ts'

const waits = new Waits()
const hints = new SharedHints()
let app: TestApp
let buyer: Buyer
beforeAll(async () => {
  app = await startTestApp({
    hints: async (url) => waits.watch(await hints.open(url)),
    wrapPools: waits.wrap,
    limits: { agentIntentWaits: 1000, intentWaits: 1000, requests: 1000 },
  })
  buyer = await newBuyer(app)
})
afterAll(async () => {
  await app.stop()
  await hints.close()
})

async function waiting(id: string, count: number): Promise<Promise<Answer>[]> {
  const { reads } = waits
  const answers = Array.from({ length: count }, () =>
    app.get(`/v1/purchase_intents/${id}?wait_seconds=25&after_sequence=2`),
  )
  await expect.poll(() => [waits.waiting(id), waits.reads - reads >= count]).toEqual([count, true])
  return answers
}

test('three hundred wait for one purchase, hold no connection and no lock, do not look while nothing happens, and all hear of it', async () => {
  const { id } = (await createPurchase(app, buyer)).body
  const answers = await waiting(id, 300)
  const { reads } = waits
  const held = () =>
    app.sql<{ state: string | null; locks: number }>(
      `select state, (select count(*)::int from pg_locks l where l.pid = a.pid and l.locktype in ('transactionid', 'tuple')) as locks
       from pg_stat_activity a where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
    )
  // What looked again now and then would be seen at one of them.
  for (let look = 0; look < 20; look++) {
    const sessions = await held()
    expect(sessions.filter(({ state }) => /transaction/.test(state ?? ''))).toEqual([])
    expect(sessions.filter(({ locks }) => locks > 0)).toEqual([])
  }
  expect(waits.reads).toBe(reads)
  expect((await app.post(`/v1/purchase_intents/${id}/approve`, { approve: true })).status).toBe(200)
  for (const { status, body } of await Promise.all(answers))
    expect([status, body.sequence, body.status]).toEqual([200, 3, 'approved'])
  expect(waits.waiting(id)).toBe(0)
})

test('a change in another process ends the wait, by its hint', async () => {
  const other = await startOtherApi(app, hints)
  try {
    const overheads: number[] = []
    for (let time = 0; time < 5; time++) {
      const { id } = (await createPurchase(app, buyer)).body
      const [answer] = await waiting(id, 1)
      const told = answer?.then((one) => ({ ...one, atMs: performance.now() }))
      const response = await fetch(`${other.url}/v1/purchase_intents/${id}/approve`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${app.account.keys.secret_test}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ approve: true }),
      })
      const changedMs = performance.now()
      expect(response.status).toBe(200)
      const heard = await told
      expect([heard?.status, heard?.body.status]).toEqual([200, 'approved'])
      overheads.push((heard?.atMs ?? Number.POSITIVE_INFINITY) - changedMs)
    }
    // The look that needs no hint comes after ten seconds.
    expect(Math.min(...overheads)).toBeLessThan(patientMs(200))
  } finally {
    await other.stop()
  }
})
