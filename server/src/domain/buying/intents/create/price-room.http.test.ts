import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { newBuyer } from '../../../../../test/harness/buyers.ts'
import {
  askPriceByHand,
  readPurchase,
  runningPurchase,
  tea,
} from '../../../../../test/harness/hand-worker.ts'

let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.stop())

const ask = (id: string, unitAmount: bigint) => askPriceByHand(app, id, unitAmount)

test('a new price that a limit leaves no room for as a whole is not approved', async () => {
  const own = await newBuyer(app)
  await app.post('/v1/policies', {
    name: 'Room for the old price',
    currency: 'EUR',
    scope: { profile_ids: [own.profileId] },
    limits: { intervals: [{ interval: 'all_time', max_amount: 4000 }] },
    approval: { mode: 'always' },
  })
  const { id } = await runningPurchase(app, own, { items: [tea] })
  expect(await ask(id, 2000n)).toMatchObject({ ok: true })
  const { max_allowed_amount: cap } = (await readPurchase(app, id)).next_action.proposal
  await runningPurchase(app, own, { items: [{ ...tea, expected_amount: 1000 }] })
  expect(cap + 1000).toBeLessThan(5000)
  const answer = await app.post(`/v1/purchase_intents/${id}/approve`, { approve: true })
  expect([answer.status, answer.body.detail?.code]).toEqual([409, 'policy_limit_exceeded'])
})

test('a new price is not asked about where a window in another currency would refuse it', async () => {
  const own = await newBuyer(app)
  const { id } = await runningPurchase(app, own, { items: [tea] })
  await app.post('/v1/policies', {
    name: 'Dollars alone',
    currency: 'USD',
    scope: { profile_ids: [own.profileId] },
    limits: { intervals: [{ interval: 'day', max_amount: 30_000, max_count: 2 }] },
  })
  expect(await ask(id, 1200n)).toMatchObject({ ok: false, refusal: { code: 'policy_denied' } })
})
