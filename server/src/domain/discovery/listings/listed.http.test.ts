import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, type TestApp } from '../../../../test/harness/app.ts'
import { brokenInvariants } from '../../../../test/harness/broken-invariants.ts'
import { type StoppedClock, stopClock } from '../../../../test/harness/stopped-clock.ts'
import { listingInvariants } from './invariants.sql.ts'

let app: TestApp
let clock: StoppedClock
beforeAll(async () => {
  app = await startTestApp({ testClock: true })
  clock = await stopClock(app.parts.pools, new Date('2026-03-01T12:00:00Z'))
})
afterAll(() => app.stop())

test('an item that was published and relayed a minute ago and is not listed is reported, a millisecond earlier it is not', async () => {
  const item = await app.post('/v1/merchant/catalog_items', {
    title: 'Tea',
    variants: [{ price: 1, currency: 'EUR' }],
  })
  await app.post(`/v1/merchant/catalog_items/${item.body.id}/publish`)
  await clock.advance(60_000)
  await app.sql(`delete from outbox where aggregate_id = $1`, [item.body.id])
  expect(await brokenInvariants(app, listingInvariants)).toEqual([])
  await clock.advance(1)
  expect(await brokenInvariants(app, listingInvariants)).toEqual([`D1 ${item.body.id}`])
})
