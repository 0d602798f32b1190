import { afterEach, beforeEach, expect, test } from 'vitest'
import type { TestApp } from '../../../../test/harness/app.ts'
import {
  type Deliverer,
  type Delivering,
  newDestination,
  type Receiver,
  tellMerchant,
} from '../../../../test/harness/deliveries.ts'
import { advanceTestClock } from '../../../platform/clock/test-clock.ts'
import { silentLog } from '../../../platform/logs/logs.ts'
import { defaultRetention } from '../../../platform/retention/retention.ts'
import { runSweep } from '../../../platform/retention/run-sweep.ts'
import { startSoundDelivering } from './delivering.testing.ts'
import { sweepDeliveries } from './sweep-deliveries.sql.ts'
import { sweepSecrets } from './sweep-secrets.sql.ts'

const day = 86_400

let delivering: Delivering
let app: TestApp
let deliverer: Deliverer
let receiver: Receiver
beforeEach(async () => {
  delivering = await startSoundDelivering()
  ;({ app, deliverer, receiver } = delivering)
})
afterEach(() => delivering.stop())

const path = '/v1/merchant/destinations'
const advance = (seconds: number) => advanceTestClock(app.databaseUrl, seconds)
const sweep = (which = sweepDeliveries) =>
  runSweep({ ...app.parts, pools: app.parts.pools, log: silentLog(), retention: defaultRetention }, which)
const shownOf = async (destination: string) =>
  (await app.get(`${path}/${destination}/events`)).body.data.map((one: { event_id: string }) => one.event_id)
const attempts = () => app.sql<{ id: string }>('select delivery_id as id from delivery_attempts')

test('a delivery that ended goes after ninety days with its attempts, and cannot be redelivered; one day less and it stays', async () => {
  const { id } = await newDestination(app, receiver.url)
  await tellMerchant(app, app.account, [{}])
  await deliverer.drain()
  const [event] = await shownOf(id)
  await advance(89 * day)
  expect(await sweep()).toEqual({ rows: 0, oldest: null })
  expect((await app.post(`${path}/${id}/events/${event}/redeliver`)).status).toBe(200)
  await deliverer.drain()
  await advance(2 * day)
  expect((await sweep()).rows).toBe(0)
  await advance(89 * day)
  expect((await sweep()).rows).toBe(1)
  expect(await shownOf(id)).toEqual([])
  expect(await attempts()).toEqual([])
  expect((await app.get(`${path}/${id}/events/${event}`)).status).toBe(404)
  expect((await app.post(`${path}/${id}/events/${event}/redeliver`)).status).toBe(404)
})

test('what still waits to be delivered stays, however old it is', async () => {
  const { id } = await newDestination(app, receiver.url)
  await tellMerchant(app, app.account, [{}])
  await deliverer.relay.runOnce()
  await advance(200 * day)
  expect((await sweep()).rows).toBe(0)
  expect(await shownOf(id)).toHaveLength(1)
  await deliverer.drain()
})

test('one that is being redelivered at this moment stays', async () => {
  const { id } = await newDestination(app, receiver.url)
  await tellMerchant(app, app.account, [{}])
  await deliverer.drain()
  const [event] = await shownOf(id)
  await advance(91 * day)
  const connection = await app.parts.pools.connect()
  await connection.query({ name: '', text: 'begin', values: [] })
  await connection.query({ name: '', text: 'select from deliveries for no key update', values: [] })
  expect((await sweep()).rows).toBe(0)
  await connection.query({ name: '', text: 'commit', values: [] })
  connection.release()
  expect((await app.post(`${path}/${id}/events/${event}/redeliver`)).status).toBe(200)
  await deliverer.drain()
})

test('many of one tenant do not keep another waiting, and nothing is left over', async () => {
  const { id } = await newDestination(app, receiver.url)
  const strangers = await newDestination(app, receiver.url, {}, app.stranger.keys.secret_test)
  for (let made = 0; made < 3; made++)
    await tellMerchant(
      app,
      app.account,
      Array.from({ length: 100 }, () => ({})),
    )
  await tellMerchant(app, app.stranger, [{}])
  await deliverer.drain()
  await advance(91 * day)
  const steps: number[] = []
  const accounts = () =>
    app.sql<{ account_id: string }>('select distinct account_id from deliveries order by account_id')
  for await (const { rows } of sweepDeliveries.batches(app.parts.pools, new Date(Date.now() + day))) {
    steps.push(rows)
    if (steps.length === 1) expect(await accounts()).toEqual([{ account_id: app.account.accountId }])
  }
  expect(steps).toEqual([101, 100, 100, 0])
  expect(await accounts()).toEqual([])
  expect([...(await shownOf(id))]).toEqual([])
  expect((await app.get(`${path}/${strangers.id}/events`)).status).toBe(404)
  await app.sql(
    `insert into sweeps (name, swept_before, began_at) values ('deliveries', prokura_now(), prokura_now())`,
  )
})

test('a rotated signing secret goes a week after its last signature, and the current one stays', async () => {
  const { id } = await newDestination(app, receiver.url)
  expect((await app.post(`${path}/${id}/rotate_secret`)).status).toBeLessThan(300)
  const positions = async () =>
    (await app.sql<{ position: number }>('select position from destination_secrets')).map(
      (row) => row.position,
    )
  const before = await positions()
  expect(before).toHaveLength(2)
  await advance(7 * day)
  expect((await sweep(sweepSecrets)).rows).toBe(0)
  await advance(2 * day)
  expect((await sweep(sweepSecrets)).rows).toBe(1)
  expect(await positions()).toEqual([Math.max(...before)])
  await tellMerchant(app, app.account, [{}])
  await deliverer.drain()
  expect(receiver.received).toHaveLength(1)
})
