import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { type StoppedClock, stopClock } from '../../../../test/harness/stopped-clock.ts'
import { followers } from '../../../composition.ts'
import { createRelay } from '../../../platform/events/relay.ts'
import { noFaults } from '../../../platform/faults/faults.ts'
import { silentLog } from '../../../platform/logs/logs.ts'
import { createMetrics } from '../../../platform/metrics/metrics.ts'
import { sweepAttributions } from './attributions.sql.ts'

let app: TestApp
let clock: StoppedClock
let item: { id: string; variants: { id: string }[] }
let other: { id: string }
const start = new Date('2026-03-01T12:00:00Z')
const dayMs = 86_400_000

beforeAll(async () => {
  app = await startTestApp({ testClock: true, limits: { attributionImpressions: 12, discoveryTest: 10_000 } })
  clock = await stopClock(app.parts.pools, start)
  await app.post('/v1/merchant', { slug: 'shoes', domain: 'shoes.example', currency: 'EUR' })
  item = await publish({ title: 'Trail boot', variants: [{ price: 12_900 }, { price: 14_900 }] })
  other = await publish({ title: 'Teapot', variants: [{ price: 4_500 }] })
  const relay = createRelay({
    ...app.parts,
    followers,
    metrics: createMetrics(),
    log: silentLog(),
    faults: noFaults,
  })
  await relay.runOnce()
  await relay.stop()
})
afterAll(() => app.stop())

async function publish(body: object) {
  const made = await app.post('/v1/merchant/catalog_items', body)
  await app.post(`/v1/merchant/catalog_items/${made.body.id}/publish`)
  return made.body
}

async function attributionOf(query: string): Promise<string> {
  const answer = await app.post('/v1/catalog', { query })
  expect(answer.status).toBe(200)
  expect(answer.headers.get('service-attribution-id')).toBe(answer.body.attribution_id)
  return answer.body.attribution_id
}

async function confirm(lines: readonly object[]) {
  const answer = await app.post('/v1/catalog/impressions', { lines }, { key: null })
  expect(answer.status, JSON.stringify(answer.body)).toBe(200)
  return answer.body
}

test('a search names its answer, and one that finds nothing too, and says so', async () => {
  const id = await attributionOf('boot')
  expect(id).toMatch(/^attr_[\w-]{40,195}$/)
  expect(await attributionOf('boot')).not.toBe(id)
  const nothing = await attributionOf('zeppelin')
  expect(await confirm([{ attribution_id: nothing, item_id: item.id }])).toMatchObject({
    rejected: [{ index: 0, code: 'not_shown' }],
  })
  const { body } = await app.post('/v1/catalog', { query: 'zeppelin' })
  expect(body).toMatchObject({ products: [], messages: [{ type: 'info', code: 'nothing_found' }] })
})

test('a product, and each exact variant of it, counts once for each search, wherever it was shown', async () => {
  const attribution_id = await attributionOf('boot')
  const whole = { attribution_id, item_id: item.id }
  const variant = { ...whole, variant_id: item.variants[1]?.id }
  expect(
    await confirm([
      whole,
      variant,
      { ...whole, presentation_id: 'list' },
      { ...variant, presentation_id: 'page' },
    ]),
  ).toEqual({ confirmed: 2, duplicates: 2, rejected: [] })
  expect(await confirm([whole, variant])).toEqual({ confirmed: 0, duplicates: 2, rejected: [] })
  const again = await attributionOf('boot')
  expect(await confirm([{ ...whole, attribution_id: again }])).toMatchObject({ confirmed: 1 })
})

test('the same lines at the same moment count once', async () => {
  const line = { attribution_id: await attributionOf('boot'), item_id: item.id }
  const answers = await Promise.all(Array.from({ length: 8 }, () => confirm([line])))
  expect(answers.reduce((sum, { confirmed }) => sum + confirmed, 0)).toBe(1)
  expect(answers.reduce((sum, { duplicates }) => sum + duplicates, 0)).toBe(7)
})

test('what was not shown, or is no attribution id of ours, counts for nothing, and the rest does', async () => {
  const attribution_id = await attributionOf('boot')
  const letters = [...attribution_id]
  letters[10] = letters[10] === 'A' ? 'B' : 'A'
  const { confirmed, rejected } = await confirm([
    { attribution_id, item_id: other.id },
    { attribution_id, item_id: item.id },
    { attribution_id, item_id: item.id, variant_id: 'var_of_another' },
    { attribution_id: letters.join(''), item_id: item.id },
    { attribution_id: 'attr_', item_id: item.id },
    { attribution_id: `${attribution_id}=`, item_id: item.id },
  ])
  expect(confirmed).toBe(1)
  expect(rejected).toEqual([
    { index: 0, code: 'not_shown' },
    { index: 2, code: 'not_shown' },
    { index: 3, code: 'attribution_invalid' },
    { index: 4, code: 'attribution_invalid' },
    { index: 5, code: 'attribution_invalid' },
  ])
})

test('an attribution id counts for ninety days, to the second, and is forgotten then', async () => {
  const from = clock.now()
  const line = { attribution_id: await attributionOf('boot'), item_id: item.id }
  await clock.set(new Date(from.getTime() + 90 * dayMs - 1))
  expect(await confirm([line])).toMatchObject({ confirmed: 1 })
  await clock.set(new Date(from.getTime() + 90 * dayMs))
  expect(await confirm([{ ...line, variant_id: item.variants[0]?.id }])).toMatchObject({
    confirmed: 0,
    rejected: [{ index: 0, code: 'attribution_expired' }],
  })
  const rows = async () => (await app.sql('select from attributions')).length
  const before = await rows()
  for await (const _ of sweepAttributions.batches(app.parts.pools, new Date(from.getTime() + 1)));
  expect(before).toBeGreaterThan(0)
  expect(await rows()).toBe(0)
  expect(await app.sql('select from impressions')).toEqual([])
})

test('one attribution id has so many confirmations in an hour, each line alike', async () => {
  await clock.advance(3_600_001)
  const line = { attribution_id: await attributionOf('boot'), item_id: item.id }
  for (let sent = 0; sent < 12; sent++) await confirm([line])
  const answer = await app.post('/v1/catalog/impressions', { lines: [line] }, { key: null })
  expect([answer.status, answer.body.detail.scope, answer.body.detail.limit]).toEqual([
    429,
    'attribution',
    12,
  ])
  await clock.advance(3_600_001)
  expect(await confirm([line])).toMatchObject({ duplicates: 1 })
})

test('what is no request is told so, and there is no such tool', async () => {
  for (const lines of [
    [],
    Array.from({ length: 7 }, () => ({ attribution_id: 'a', item_id: 'b' })),
    [{ item_id: 'b' }],
  ])
    expect((await app.post('/v1/catalog/impressions', { lines }, { key: null })).status).toBe(422)
  await expect(app.mcp('v1_confirm_catalog_impressions', { lines: [] })).rejects.toThrow()
})
