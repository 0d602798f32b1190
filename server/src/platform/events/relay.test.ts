import { afterAll, beforeAll, expect, test } from 'vitest'
import { draftOf } from '../../../test/harness/any-draft.ts'
import { type Spine, startSpine } from '../../../test/harness/spine.ts'
import { statement } from '../../contract/statement.ts'
import { runInvariants } from '../audit/invariants.ts'
import { platformInvariants } from '../audit/platform-invariants.ts'
import { shardOf } from './append-events.ts'
import type { Follower } from './follower.ts'
import { listenToTenant } from './listeners.sql.ts'
import { createRelay } from './relay.ts'
import { relayStatus } from './relay-status.ts'

let spine: Spine

beforeAll(async () => {
  spine = await startSpine()
  await spine.sql(
    'create table followed (place bigserial, event_id text unique, aggregate_id text, sequence int)',
  )
  await spine.sql(`update outbox_shards set holder = null, lease_until = '-infinity'`)
})

afterAll(async () => {
  // After all tests: no event is lost, none was followed twice, and every chain is whole.
  const report = await runInvariants(spine, platformInvariants)
  await spine.close()
  expect(report).toMatchObject({ ok: true })
  expect(report.invariants.find(({ id }) => id === 'W6')?.checked).toBeGreaterThan(500)
})

const insertFollowed = statement<never, { event_id: string; aggregate_id: string; sequence: number }>(
  'insert_followed',
  'insert into followed (event_id, aggregate_id, sequence) values ($event_id, $aggregate_id, $sequence)',
)

/** Writes a row per event, in the order in which they came. */
const recorder: Follower = {
  name: 'recorder',
  follow(tx, events) {
    for (const { id, aggregateId, sequence } of events) {
      tx.write(insertFollowed({ event_id: id, aggregate_id: aggregateId, sequence }))
    }
  },
}

function relayWith(...followers: Follower[]) {
  const options = { followers: [...followers, recorder], leaseMs: 600 }
  return createRelay(spine.withMetrics(options))
}

async function followed(aggregateId: string): Promise<number[]> {
  const rows = await spine.sql<{ sequence: number }>(
    'select sequence from followed where aggregate_id = $1 order by place',
    [aggregateId],
  )
  return rows.map(({ sequence }) => sequence)
}

async function pendingOf(aggregateId: string): Promise<number> {
  const rows = await spine.sql('select 1 from outbox where aggregate_id = $1', [aggregateId])
  return rows.length
}

test('the rows that follow, the audit entry and the end of the row in the outbox are one commit, once per event', async () => {
  const tenant = spine.newTenant()
  for (let sequence = 1; sequence <= 5; sequence++)
    await spine.emit(tenant, { aggregateId: 'once', sequence })
  const relay = relayWith()
  await relay.runOnce()
  await relay.runOnce()
  await relay.stop()
  expect(await followed('once')).toEqual([1, 2, 3, 4, 5])
  expect(await pendingOf('once')).toBe(0)
  const batches = await spine.sql(
    'select first_position, last_position, first_sequences, last_sequences from audit_batches where account_id = $1',
    [tenant.accountId],
  )
  expect(batches).toEqual([
    { first_position: 1n, last_position: 5n, first_sequences: [1], last_sequences: [5] },
  ])
})

test('events say whether their tenant has a listener, also those that come before others in a slower lane', async () => {
  const [heard, other] = [spine.newTenant(), spine.newTenant()]
  const { accountId: account_id, mode } = heard
  await spine.sql(`insert into accounts (id, name, created_at) values ($1, 'Listener', now())`, [account_id])
  const listen = listenToTenant({ account_id, mode, now: new Date() })
  await Promise.all([spine.pools.single(listen), spine.pools.single(listen)])
  await spine.emit(heard, { aggregateId: 'heard', lane: 'bulk' })
  await spine.emit(heard, { aggregateId: 'heard', sequence: 2, lane: 'interactive' })
  await spine.emit({ ...heard, mode: 'live' }, { aggregateId: 'other mode' })
  await spine.emit(other, { aggregateId: 'other tenant' })
  const told: [string, boolean][] = []
  const relay = relayWith({
    name: 'listener',
    follow(_, events) {
      for (const { aggregateId, isHeard } of events) told.push([aggregateId, isHeard])
    },
  })
  await relay.runOnce()
  await relay.stop()
  expect(told.sort()).toEqual([
    ['heard', true],
    ['heard', true],
    ['other mode', false],
    ['other tenant', false],
  ])
})

test('a relay that was held up while another took its shards writes nothing when it wakes', async () => {
  const tenant = spine.newTenant()
  await spine.emit(tenant, { aggregateId: 'fenced' })
  const pause = spine.faults.pause('relay.read')
  const late = relayWith()
  const lateRun = late.runOnce()
  await pause.reached
  await spine.sql(`update outbox_shards set lease_until = '-infinity'`)
  const other = relayWith()
  expect(await other.runOnce()).toBe(1)
  expect(await followed('fenced')).toEqual([1])
  pause.resume()
  await expect(lateRun).rejects.toThrow('was taken over')
  expect(await followed('fenced')).toEqual([1])
  await Promise.all([late.stop(), other.stop()])
})

test('a relay that was held up before it deleted anything also writes nothing when nobody has relayed the events yet', async () => {
  const tenant = spine.newTenant()
  await spine.emit(tenant, { aggregateId: 'fenced_early' })
  const pause = spine.faults.pause('relay.read')
  const late = relayWith()
  const lateRun = late.runOnce()
  await pause.reached
  await spine.sql(`update outbox_shards set epoch = epoch + 1`)
  pause.resume()
  await expect(lateRun).rejects.toThrow('was taken over')
  expect(await followed('fenced_early')).toEqual([])
  expect(await pendingOf('fenced_early')).toBe(1)
  await late.stop()
  await spine.sql(`update outbox_shards set holder = null, lease_until = '-infinity'`)
  const next = relayWith()
  await next.runOnce()
  await next.stop()
  expect(await followed('fenced_early')).toEqual([1])
})

test('within an aggregate events go by sequence, also when a later one came on a faster lane', async () => {
  const tenant = spine.newTenant()
  await spine.emit(tenant, { aggregateId: 'lanes', sequence: 1, lane: 'bulk' })
  await spine.emit(tenant, ...Array.from({ length: 300 }, (_, index) => ({ aggregateId: `filler_${index}` })))
  await spine.emit(tenant, { aggregateId: 'lanes', sequence: 2, lane: 'interactive' })
  await spine.emit(tenant, { aggregateId: 'lanes', sequence: 3, lane: 'normal' })
  const relay = relayWith()
  await relay.runOnce()
  await relay.stop()
  expect(await followed('lanes')).toEqual([1, 2, 3])
})

test('one tenant with a backlog does not keep another waiting for more than a batch', async () => {
  const [busy, quiet] = twoOnOneShard()
  await spine.emit(busy, ...Array.from({ length: 500 }, (_, index) => ({ aggregateId: `import_${index}` })))
  await spine.emit(quiet, { aggregateId: 'patient' })
  const relay = relayWith()
  await relay.runOnce()
  await relay.stop()
  const [row] = await spine.sql<{ before: bigint }>(
    `select count(*) as before from followed where aggregate_id like 'import_%'
       and place < (select place from followed where aggregate_id = 'patient')`,
  )
  expect(row?.before).toBeLessThan(200n)
})

test('an event committed after a younger one was relayed is not lost', async () => {
  const tenant = spine.newTenant()
  const slow = await spine.openWork(tenant)
  await slow.tx.rows({ name: '', text: 'select 1', values: [] })
  slow.tx.emit(draftOf({ type: 'thing.changed', aggregateId: 'slow', sequence: 1, object: {} }))
  await spine.emit(tenant, { aggregateId: 'quick' })
  const relay = relayWith()
  await relay.runOnce()
  expect(await followed('quick')).toEqual([1])
  await slow.finish()
  await relay.runOnce()
  expect(await followed('slow')).toEqual([1])
  await relay.stop()
})

test('running relays share the work of all shards, and what a dead one held passes to another when its lease ends', async () => {
  const dead = relayWith()
  await dead.runOnce() // takes every shard, and is never heard of again
  const heir = relayWith()
  heir.start()
  const tenant = spine.newTenant()
  await spine.emit(tenant, { aggregateId: 'inherited' })
  await expect.poll(() => followed('inherited')).toEqual([1])
  expect((await relayStatus(spine.pools)).shardsHeld).toBe(16)
  await heir.stop()
  expect((await relayStatus(spine.pools)).shardsHeld).toBe(0)
})

test('two running relays and many writers: every event is followed exactly once, in order', async () => {
  const relays = [relayWith(), relayWith()]
  for (const relay of relays) relay.start()
  const tenants = Array.from({ length: 8 }, () => spine.newTenant())
  await Promise.all(
    tenants.map(async (tenant, index) => {
      for (let sequence = 1; sequence <= 25; sequence++) {
        await spine.emit(tenant, { aggregateId: `busy_${index}`, sequence })
        // Everybody's lease ends while they work.
        if (sequence % 8 === 0) await endLeases()
      }
    }),
  )
  const wanted = Array.from({ length: 25 }, (_, index) => index + 1)
  for (const index of tenants.keys()) {
    await expect.poll(() => followed(`busy_${index}`)).toEqual(wanted)
  }
  await Promise.all(relays.map((relay) => relay.stop()))
})

/** Steps over rows that somebody is renewing: waiting for them in another order would be a deadlock. */
function endLeases() {
  return spine.sql(`update outbox_shards set lease_until = '-infinity'
    where shard in (select shard from outbox_shards for update skip locked)`)
}

/** Two tenants whose events go through the same shard. */
function twoOnOneShard() {
  const first = spine.newTenant()
  for (;;) {
    const second = spine.newTenant()
    if (shardOf(second) === shardOf(first)) return [first, second] as const
  }
}
