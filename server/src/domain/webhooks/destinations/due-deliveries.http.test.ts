import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestApp } from '../../../../test/harness/app.ts'
import {
  type Deliverer,
  type Delivering,
  newDestination,
  type Receiver,
  tellMerchant,
} from '../../../../test/harness/deliveries.ts'
import { startSoundDelivering } from './delivering.testing.ts'

/** A process of the version before claims and settles deliveries themselves, beside a worker that claims them from the queue. */
let delivering: Delivering
let app: TestApp
let deliverer: Deliverer
let receiver: Receiver
beforeEach(async () => {
  delivering = await startSoundDelivering()
  ;({ app, deliverer, receiver } = delivering)
  await newDestination(app, receiver.url)
  await tellMerchant(app, app.account, [{}])
  await deliverer.relay.runOnce()
})
afterEach(() => delivering.stop())

const claimAsBefore = () =>
  app.sql<{ id: string; lease_token: string }>(
    `update deliveries set lease_token = lease_token + 1, lease_until = prokura_now() + interval '30 s'
     where due_at <= prokura_now() and (lease_until is null or lease_until <= prokura_now()) returning id`,
  )

/** What the version before writes of an attempt, but for the record of the attempt itself. */
const settleAsBefore = (status: 'succeeded' | 'failed') =>
  app.sql(
    `update deliveries set status = $1, due_at = case when $1 = 'failed' then prokura_now() end, attempt_count = attempt_count + 1,
       first_attempt_at = coalesce(first_attempt_at, prokura_now()), lease_until = null`,
    [status],
  )

const queued = () => app.sql('select is_tried, lease_until is not null as is_leased from due_deliveries')

test('what the version before has claimed, this one leaves alone, and what it has delivered leaves the queue', async () => {
  expect(await claimAsBefore()).toHaveLength(1)
  expect(await queued()).toEqual([{ is_tried: false, is_leased: true }])
  expect(await deliverer.worker.runOnce()).toBe(0)
  await settleAsBefore('succeeded')
  expect(await queued()).toEqual([])
  expect(await deliverer.worker.runOnce()).toBe(0)
  expect(receiver.received).toEqual([])
})

test('what the version before has tried in vain, this one tries again', async () => {
  await claimAsBefore()
  await settleAsBefore('failed')
  expect(await queued()).toEqual([{ is_tried: true, is_leased: false }])
  expect(await deliverer.worker.runOnce()).toBe(1)
  expect(receiver.received).toHaveLength(1)
})

test('when the version before has died with a delivery, this one sends it after its lease', async () => {
  await claimAsBefore()
  await app.sql(`update due_deliveries set lease_until = prokura_now() - interval '1 s'`)
  expect(await deliverer.worker.runOnce()).toBe(1)
  expect(receiver.received).toHaveLength(1)
  expect(await queued()).toEqual([])
})

test('what a worker of this version holds, the version before cannot claim', async () => {
  const pause = deliverer.faults.pause('claim.after')
  const working = deliverer.worker.runOnce()
  await pause.reached
  expect(await claimAsBefore()).toEqual([])
  pause.resume()
  await working
  expect(receiver.received).toHaveLength(1)
})

test('what was open before there was a queue is queued by the migration, once', async () => {
  const file = new URL('../../../../migrations/0054_due_deliveries_indexes.sql', import.meta.url)
  const [fill = ''] = readFileSync(file, 'utf8').split(';\n')
  const before = await app.sql<object>('select * from due_deliveries')
  await app.sql('delete from due_deliveries')
  await app.sql(fill)
  await app.sql(fill)
  const after = await app.sql('select * from due_deliveries')
  expect(after).toEqual(before.map((row) => ({ ...row, due_at: expect.any(Date) })))
  expect(await deliverer.worker.runOnce()).toBe(1)
})
