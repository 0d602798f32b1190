import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../../test/harness/app.ts'
import { type Buyer, createPurchase, newBuyer } from '../../../../../test/harness/buyers.ts'
import { createRelay } from '../../../../platform/events/relay.ts'
import { noFaults } from '../../../../platform/faults/faults.ts'
import { silentLog } from '../../../../platform/logs/logs.ts'
import { createMetrics } from '../../../../platform/metrics/metrics.ts'

import { followCreated } from '../create/follow-created.ts'

let app: TestApp
let old: { id: string }
beforeAll(async () => {
  app = await startTestApp()
  const buyer = await newBuyer(app)
  const made = await createPurchase(app, buyer, {
    reference_id: 'Needle-77-east',
    items: [
      { url: 'https://www.haystack.example/x', quantity: 1, expected_amount: 100, expected_currency: 'EUR' },
    ],
  })
  old = made.body
  const other = await newBuyer(app)
  await rename(buyer, 'Grace', 'Hopper')
  await rename(other, 'Ada', 'Lovelace')
  const deps = { ...app.parts, log: silentLog(), metrics: createMetrics(), faults: noFaults }
  const relay = createRelay({ ...deps, followers: [followCreated] })
  await relay.runOnce()
  await relay.stop()
  // So many newer ones of somebody else that the one above is no longer among the newest ten thousand.
  await app.parts.pools.single({
    name: '',
    text: `insert into purchase_intents select copy.* from purchase_intents i, generate_series(1, 10001) as n,
        jsonb_populate_record(i, jsonb_build_object('id', 'pi_7' || lpad(n::text, 25, '0'), 'reference_id', 'straw-' || n, 'profile_id', $2::text,
          'search', 'pi_7' || lpad(n::text, 25, '0') || ' straw-' || n || ' shop.example', 'merchants', '["shop.example"]'::jsonb,
          'idempotency_key', null)) as copy
      where i.id = $1`,
    values: [old.id, other.profileId],
  })
})
afterAll(() => app.stop())

async function rename(buyer: Buyer, first_name: string, last_name: string): Promise<void> {
  await app.post(`/v1/profiles/${buyer.profileId}`, { first_name, last_name })
}

async function found(query: string): Promise<{ ids: string[]; total: number }> {
  const { status, body } = await app.get(`/v1/purchase_intents?${query}`)
  expect(status).toBe(200)
  return {
    ids: body.data.map((row: { purchase_intent_id: string }) => row.purchase_intent_id),
    total: body.total,
  }
}

test.each([
  ['how its id begins', () => old.id.slice(0, -4)],
  ['its id in capitals', () => old.id.toUpperCase()],
  ['how its reference begins', () => 'needle-77'],
  ['the name of whom it was for', () => 'race hop'],
  ['how its shop begins', () => 'HayStack'],
])('however many purchases came after it, one is found by %s', async (_, text) => {
  expect(await found(`q=${encodeURIComponent(text())}`)).toEqual({ ids: [old.id], total: 1 })
  expect(await found(`q=${encodeURIComponent(text())}&status=succeeded`)).toEqual({ ids: [], total: 0 })
})

test('a text is found anywhere among the newest ten thousand purchases, and an unknown text is not found', async () => {
  expect((await found('q=raw-10001')).ids).toEqual([`pi_7${'10001'.padStart(25, '0')}`])
  expect(await found('q=no-such-thing')).toEqual({ ids: [], total: 0 })
  expect(await found('q=%25')).toEqual({ ids: [], total: 0 })
})

test('found purchases come in pages like any list, newest first', async () => {
  const first = await found('q=shop.example&limit=2')
  expect(first).toEqual({ ids: ['10001', '10000'].map((n) => `pi_7${n.padStart(25, '0')}`), total: 10_000 })
  expect((await found('q=shop.example&limit=2&offset=1')).ids[0]).toBe(first.ids[1])
  expect((await found('q=straw-9&limit=1&offset=2000')).ids).toEqual([])
})
