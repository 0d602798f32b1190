import { afterAll, beforeAll, expect, test } from 'vitest'
import { brokenInvariants } from '../../../../test/harness/broken-invariants.ts'
import { type Delivering, startDelivering } from '../../../../test/harness/deliveries.ts'
import { silentLog } from '../../../platform/logs/logs.ts'
import { defaultRetention } from '../../../platform/retention/retention.ts'
import { runSweep } from '../../../platform/retention/run-sweep.ts'
import { merchantInvariants } from '../../selling/merchant/invariants.sql.ts'
import { integrationCheckInvariants } from './invariants.sql.ts'
import { newOrderChecks } from './order-checks.testing.ts'
import { sweepChecks } from './sweep-checks.sql.ts'
import { checkWork } from './work.ts'

let delivering: Delivering
beforeAll(async () => {
  delivering = await startDelivering({}, [checkWork])
})
afterAll(() => delivering.stop())

test('a check that a later one has taken the place of goes after a week, the last of each outcome stays', async () => {
  const { app } = delivering
  const sweep = () => runSweep({ ...app.parts, log: silentLog(), retention: defaultRetention }, sweepChecks)
  const checks = await newOrderChecks(delivering)
  const proving = await checks.connect()
  const first = await checks.finished(proving, await checks.provenOrder(proving))
  const last = await checks.finished(proving, await checks.provenOrder(proving))
  const readiness = (await app.get('/v1/merchant', { key: checks.seller.keys.secret_test })).body.readiness
  expect((await sweep()).rows).toBe(0)
  await app.sql(`update integration_checks set finished_at = finished_at - interval '8 days'`)
  expect((await sweep()).rows).toBe(1)
  const left = await app.sql<{ id: string }>('select id from integration_checks')
  expect(left).toEqual([{ id: last.id }])
  expect(first.id).not.toBe(last.id)
  expect((await app.get('/v1/merchant', { key: checks.seller.keys.secret_test })).body.readiness).toEqual(
    readiness,
  )
  expect(await brokenInvariants(app, [...integrationCheckInvariants, ...merchantInvariants])).toEqual([])
})
