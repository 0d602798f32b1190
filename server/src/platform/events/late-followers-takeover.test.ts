import { afterAll, afterEach, expect, test } from 'vitest'
import { recorder, startFollowing } from '../../../test/harness/following.ts'
import { statement } from '../../contract/statement.ts'
import { verifyAudit } from '../audit/verify-audit.ts'
import { shardCount, shardOf } from './append-events.ts'
import type { Follower } from './follower.ts'

const following = await startFollowing()
const { spine, clock, relayWith, openRelay, releaseShards, followed, behind, runFor } = following

afterEach(following.reset)
afterAll(following.close)

const insertCounted = statement<never, { aggregate_id: string }>(
  'insert_counted',
  'insert into counted (aggregate_id) values ($aggregate_id)',
)

test('the first events of a tenant can come from two relays at once: the second waits, and the chain has both', async () => {
  const tenant = spine.newTenant()
  const other = (shardOf(tenant) + 1) % shardCount
  await spine.sql(`update outbox_shards set holder = 'nobody', lease_until = 'infinity'`)
  const held = [await relayOfShard(shardOf(tenant)), await relayOfShard(other)] as const
  await spine.emit(tenant, { aggregateId: 'one' }, { aggregateId: 'two' })
  const toOther = `update outbox set shard = $1 where aggregate_id = 'two' and account_id = $2`
  await spine.sql(toOther, [other, tenant.accountId])
  const pause = spine.faults.pause('relay.commit.before')
  const first = held[0].runOnce()
  await pause.reached
  const second = held[1].runOnce()
  await expect.poll(waiting).toBeGreaterThan(0)
  pause.resume()
  expect(await Promise.all([first, second])).toEqual([1, 1])
  for (const relay of held) expect(relay.lines.filter(({ level }) => level !== 'debug')).toEqual([])
  expect(await verifyAudit(spine.pools, { keys: spine.auditKeys }, tenant)).toMatchObject({
    ok: true,
    entries: 2,
  })
})

test('a relay that was held up while it caught up, and lost its shard meanwhile, writes nothing when it wakes', async () => {
  const tenant = spine.newTenant()
  let isBroken = true
  // No constraint of its own keeps this one from doing it twice.
  await spine.sql('create table counted (aggregate_id text)')
  const fragile: Follower = {
    name: 'caught',
    follow(tx, events) {
      if (isBroken) throw new Error('cannot follow')
      for (const { aggregateId: aggregate_id } of events) tx.write(insertCounted({ aggregate_id }))
    },
  }
  const counted = async () => (await spine.sql('select 1 from counted')).length
  const late = relayWith(fragile)
  await spine.emit(tenant, { aggregateId: 'held_up' })
  await late.runOnce()
  isBroken = false
  clock.ms += 2000
  const pause = spine.faults.pause('relay.read')
  const lateRun = late.runOnce()
  await pause.reached
  await spine.sql(`update outbox_shards set lease_until = '-infinity'`)
  const other = relayWith(fragile)
  await other.runOnce()
  expect(await counted()).toBe(1)
  pause.resume()
  await expect(lateRun).rejects.toThrow('was taken over')
  expect(await counted()).toBe(1)
})

test('a relay that lost its shard while it caught up also writes nothing when nobody has caught up yet', async () => {
  const tenant = spine.newTenant()
  let isBroken = true
  const fragile = recorder('nobody', () => isBroken)
  const late = relayWith(fragile)
  await spine.emit(tenant, { aggregateId: 'not_yet' })
  await late.runOnce()
  isBroken = false
  clock.ms += 2000
  const pause = spine.faults.pause('relay.read')
  const lateRun = late.runOnce()
  await pause.reached
  await spine.sql('update outbox_shards set epoch = epoch + 1')
  pause.resume()
  await expect(lateRun).rejects.toThrow('was taken over')
  expect(await followed('nobody', 'not_yet')).toEqual([])
  await releaseShards()
  await runFor(relayWith(fragile), 1, 1)
  expect(await followed('nobody', 'not_yet')).toEqual([1])
})

test('two relays, leases that end, and a follower that fails half of the time: each event once, in order, for each follower', async () => {
  let count = 0
  const moody = () => recorder('moody', () => count++ % 2 === 0 && isMoody)
  let isMoody = true
  const relays = [relayWith(moody(), recorder('steady')), relayWith(moody(), recorder('steady'))]
  for (const relay of relays) relay.start()
  const tenants = Array.from({ length: 6 }, () => spine.newTenant())
  await Promise.all(
    tenants.map(async (tenant, index) => {
      for (let sequence = 1; sequence <= 15; sequence++) {
        await spine.emit(tenant, { aggregateId: `moody_${index}`, sequence })
        clock.ms += 100
        if (sequence % 5 === 0) await endLeases()
      }
    }),
  )
  const wanted = Array.from({ length: 15 }, (_, index) => index + 1)
  for (const index of tenants.keys())
    await expect.poll(() => followed('steady', `moody_${index}`)).toEqual(wanted)
  isMoody = false
  const isOver = async () => {
    clock.ms += 30_000
    return (await behind()).length
  }
  await expect.poll(isOver).toBe(0)
  for (const index of tenants.keys()) expect(await followed('moody', `moody_${index}`)).toEqual(wanted)
})

test('rows of a follower that this version does not know wait for one that does, and are shown', async () => {
  const tenant = spine.newTenant()
  const newer = relayWith(recorder('newer', () => true))
  await spine.emit(tenant, { aggregateId: 'of_tomorrow' })
  await newer.runOnce()
  await newer.stop()
  const older = relayWith(recorder('known'))
  await spine.emit(tenant, { aggregateId: 'of_tomorrow', sequence: 2 })
  await runFor(older, 60, 10)
  await older.stop()
  expect(await followed('known', 'of_tomorrow')).toEqual([2])
  expect(await behind()).toMatchObject([{ follower: 'newer', events: 1 }])
  const again = relayWith(recorder('newer'))
  await runFor(again, 10, 1)
  await again.stop()
  expect(await followed('newer', 'of_tomorrow')).toEqual([1])
})

/** A relay that takes this shard, for long. */
async function relayOfShard(shard: number) {
  await spine.sql(`update outbox_shards set lease_until = '-infinity' where shard = $1`, [shard])
  const relay = openRelay([recorder('alone')], 60_000)
  await relay.runOnce()
  return relay
}

async function waiting(): Promise<number> {
  const rows = await spine.sql(`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`)
  return rows.length
}

/** Steps over rows that somebody is renewing: waiting for them in another order would be a deadlock. */
function endLeases() {
  return spine.sql(`update outbox_shards set lease_until = '-infinity'
    where shard in (select shard from outbox_shards for update skip locked)`)
}
