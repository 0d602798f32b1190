import { afterAll, afterEach, expect, test } from 'vitest'
import { patientMs } from '../../../test/gate/pace.ts'
import { insertFollowed, recorder, startFollowing } from '../../../test/harness/following.ts'
import { verifyAudit } from '../audit/verify-audit.ts'
import type { Follower } from './follower.ts'

const following = await startFollowing()
const { spine, clock, relayWith, followed, behind, runFor } = following
await spine.sql(`create table promised (
  follower text, aggregate_id text unique deferrable initially deferred)`)

afterEach(following.reset)
afterAll(following.close)

/** What a follower can do to the transaction that it shares. */
const misdeeds: [string, string][] = [
  ['breaks a constraint', `insert into followed (follower, event_id) values ('a', 'x'), ('a', 'x')`],
  [
    'breaks a constraint that is checked at the commit',
    `insert into promised (follower, aggregate_id) values ('a', 'y'), ('b', 'y')`,
  ],
  ['is cancelled for taking too long', `select pg_sleep(5), set_config('statement_timeout', '20', true)`],
  ['loses a right', 'select * from no_such_table'],
  ['ends the session', 'select pg_terminate_backend(pg_backend_pid())'],
]

test.each(misdeeds)(
  'the others go on when a follower %s, and that follower goes on when its fault is over',
  async (what, sql) => {
    const tenant = spine.newTenant()
    const aggregateId = `after: ${what}`
    let isBroken = true
    const culprit: Follower = {
      name: 'culprit',
      async follow(tx, events) {
        if (isBroken && events.some((event) => event.aggregateId === aggregateId)) {
          if (sql.includes('set_config'))
            await tx.rows({ name: '', text: `set local statement_timeout = 20`, values: [] })
          if (sql.includes('promised')) tx.write({ name: '', text: sql, values: [] })
          else await tx.rows({ name: '', text: sql, values: [] })
        }
        for (const { id: event_id, aggregateId: aggregate_id, sequence } of events)
          tx.write(insertFollowed({ follower: 'culprit', event_id, aggregate_id, sequence }))
      },
    }
    const relay = relayWith(recorder('before'), culprit, recorder('after'))
    relay.start()
    await spine.emit(
      tenant,
      { aggregateId },
      { aggregateId, sequence: 2 },
      { aggregateId: `${aggregateId}, beside` },
    )
    const startedMs = performance.now()
    for (const name of ['before', 'after']) {
      // Sooner than a test may last, so that others that wait for ever differ from a slow machine.
      await expect.poll(() => followed(name, aggregateId), { timeout: patientMs(10_000) }).toEqual([1, 2])
    }
    const tookMs = performance.now() - startedMs
    expect(tookMs).toBeLessThan(patientMs(5_000))
    expect(await followed('culprit', aggregateId)).toEqual([])
    isBroken = false
    const isOver = async () => {
      clock.ms += 1000
      return (await behind()).length
    }
    await expect.poll(isOver).toBe(0)
    expect(await followed('culprit', aggregateId)).toEqual([1, 2])
    expect(await followed('culprit', `${aggregateId}, beside`)).toEqual([1])
    await relay.stop()
  },
)

test('an unchainable event is chained later: followers go on, the audit reports it, and the chain is whole in the end', async () => {
  const tenant = spine.newTenant()
  await spine.sql(
    `alter table audit_batches add constraint planted check (not 'unchainable' = any (aggregate_ids)) not valid`,
  )
  const relay = relayWith(recorder('told'))
  await spine.emit(tenant, { aggregateId: 'unchainable' }, { aggregateId: 'chainable' })
  await relay.runOnce()
  await spine.emit(
    tenant,
    { aggregateId: 'unchainable', sequence: 2 },
    { aggregateId: 'chainable', sequence: 2 },
  )
  await relay.runOnce()
  expect(await followed('told', 'unchainable')).toEqual([1, 2])
  expect(await verifyAudit(spine.pools, { keys: spine.auditKeys }, tenant)).toMatchObject({
    ok: true,
    entries: 2,
    unchained: { events: 2 },
  })
  await spine.sql(
    `update events set created_at = created_at - interval '61 seconds' where aggregate_id = 'unchainable'`,
  )
  expect(await verifyAudit(spine.pools, { keys: spine.auditKeys }, tenant)).toMatchObject({
    ok: false,
    unchained: { overdue: true },
  })
  await spine.sql('alter table audit_batches drop constraint planted')
  await runFor(relay, 4, 1)
  expect(await verifyAudit(spine.pools, { keys: spine.auditKeys }, tenant)).toMatchObject({
    ok: true,
    entries: 4,
    unchained: { events: 0 },
  })
})
