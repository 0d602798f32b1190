import { Writable } from 'node:stream'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { patientMs } from '../../../test/gate/pace.ts'
import { type Spine, startSpine } from '../../../test/harness/spine.ts'
import type { Tenant } from '../../contract/context.ts'
import { statement } from '../../contract/statement.ts'
import { runInvariants } from '../audit/invariants.ts'
import { platformInvariants } from '../audit/platform-invariants.ts'
import { verifyAudit } from '../audit/verify-audit.ts'
import { createLog } from '../logs/logs.ts'
import { shardCount, shardOf } from './append-events.ts'
import type { Follower, RelayedEvent } from './follower.ts'
import { createRelay, type Relay } from './relay.ts'
import { listBehind, relayStatus } from './relay-status.ts'
import { hurryEvents } from './unpark-events.ts'

let spine: Spine
/** What the relays of these tests take for the time. */
let nowMs = 0

beforeAll(async () => {
  spine = await startSpine()
  await spine.sql(`create table followed (
    place bigserial, follower text, event_id text, aggregate_id text, sequence int, unique (follower, event_id))`)
  await spine.sql(`create table promised (
    follower text, aggregate_id text unique deferrable initially deferred)`)
  await releaseShards()
})

afterAll(async () => {
  // Whatever the tests did: nothing lost, nothing twice, every chain whole.
  const report = await runInvariants(spine, platformInvariants)
  await spine.close()
  expect(report).toMatchObject({ ok: true })
  expect(report.invariants.find(({ id }) => id === 'W6')?.checked).toBeGreaterThan(0)
})

const opened: Relay[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((relay) => relay.stop()))
  await releaseShards()
  await spine.sql('delete from follower_backlog')
})

const insertFollowed = statement<
  never,
  { follower: string; event_id: string; aggregate_id: string; sequence: number }
>(
  'insert_followed_by',
  `insert into followed (follower, event_id, aggregate_id, sequence) values ($follower, $event_id, $aggregate_id, $sequence)`,
)

const insertCounted = statement<never, { aggregate_id: string }>(
  'insert_counted',
  'insert into counted (aggregate_id) values ($aggregate_id)',
)

/** Writes a row per event, in the order in which they came, unless it fails. */
function recorder(name: string, fails: (event: RelayedEvent) => boolean = () => false): Follower {
  return {
    name,
    follow(tx, events) {
      for (const event of events) {
        if (fails(event)) throw new Error(`${name} cannot follow ${event.aggregateId}`)
        const { id, aggregateId, sequence } = event
        tx.write(insertFollowed({ follower: name, event_id: id, aggregate_id: aggregateId, sequence }))
      }
    },
  }
}

type Line = {
  level: string
  msg: string
  aggregate?: string
  follower?: string
  type?: string
  event?: string
}

function relayWith(...followers: Follower[]) {
  return openRelay(followers, 600)
}

function openRelay(followers: Follower[], leaseMs: number): Relay & { lines: Line[] } {
  nowMs = Math.max(nowMs, Date.now())
  const lines: Line[] = []
  const destination = new Writable({
    write(chunk, _, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  const log = createLog({ level: 'debug', role: 'test', destination })
  const clock = { now: () => new Date(nowMs), close: () => undefined }
  const relay = createRelay(spine.withMetrics({ followers, leaseMs, clock, log }))
  opened.push(relay)
  return Object.assign(relay, { lines })
}

async function followed(follower: string, aggregateId: string): Promise<number[]> {
  const rows = await spine.sql<{ sequence: number }>(
    'select sequence from followed where follower = $1 and aggregate_id = $2 order by place',
    [follower, aggregateId],
  )
  return rows.map(({ sequence }) => sequence)
}

function releaseShards() {
  return spine.sql(`update relay_shards set holder = null, lease_until = '-infinity'`)
}

async function runFor(relay: Relay, seconds: number, stepSeconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += stepSeconds) {
    nowMs += stepSeconds * 1000
    await relay.runOnce()
  }
}

async function behind() {
  const { aggregates } = await listBehind(spine.pools, ['waiting', 'failing', 'parked'], 100)
  return aggregates.map(
    ({ account_id: _, mode: __, behind_since: ___, of_aggregates: ____, ...rest }) => rest,
  )
}

const hour = 3600

test.each([
  { failsFor: 4, stepSeconds: 0.5, isParked: false, recoversIn: 4 },
  { failsFor: 30, stepSeconds: 1, isParked: false, recoversIn: 32 },
  { failsFor: 7 * hour, stepSeconds: 900, isParked: true, recoversIn: hour },
])(
  'a follower that fails for $failsFor s loses nothing and keeps order; others do not notice, and it recovers by itself',
  async ({ failsFor, stepSeconds, isParked, recoversIn }) => {
    const tenant = spine.newTenant()
    const [sick, sound] = [`sick_${failsFor}`, `sound_${failsFor}`]
    let isBroken = true
    const fragile = recorder('fragile', ({ aggregateId }) => isBroken && aggregateId === sick)
    const relay = relayWith(recorder('first'), fragile, recorder('last'))
    await spine.emit(tenant, { aggregateId: sick }, { aggregateId: sound })
    await relay.runOnce()
    for (const name of ['first', 'last']) {
      expect(await followed(name, sick)).toEqual([1])
      expect(await followed(name, sound)).toEqual([1])
    }
    expect(await followed('fragile', sound)).toEqual([1])
    await runFor(relay, failsFor / 2, stepSeconds)
    await spine.emit(
      tenant,
      { aggregateId: sick, sequence: 2, lane: 'interactive' },
      { aggregateId: sick, sequence: 3 },
      { aggregateId: sound, sequence: 2 },
    )
    // In the round in which they came, whatever the other one does.
    await relay.runOnce()
    expect(await followed('first', sick)).toEqual([1, 2, 3])
    expect(await followed('last', sick)).toEqual([1, 2, 3])
    expect(await followed('fragile', sound)).toEqual([1, 2])
    await runFor(relay, failsFor / 2, stepSeconds)
    expect(await followed('fragile', sick)).toEqual([])
    expect(await behind()).toMatchObject([
      {
        follower: 'fragile',
        aggregate_id: sick,
        events: 3,
        event_type: 'thing.changed',
        state: isParked ? 'parked' : 'failing',
        last_error: `fragile cannot follow ${sick}`,
      },
    ])
    isBroken = false
    await runFor(relay, recoversIn, stepSeconds)
    expect(await followed('fragile', sick)).toEqual([1, 2, 3])
    expect(await behind()).toEqual([])
  },
)

test('what comes once the follower works again waits for what it is still behind with', async () => {
  const tenant = spine.newTenant()
  let isBroken = true
  const relay = relayWith(recorder('mended', () => isBroken))
  await spine.emit(tenant, { aggregateId: 'queue' })
  await relay.runOnce()
  isBroken = false
  await spine.emit(tenant, { aggregateId: 'queue', sequence: 2 }, { aggregateId: 'no_queue' })
  await relay.runOnce()
  expect(await followed('mended', 'queue')).toEqual([])
  expect(await followed('mended', 'no_queue')).toEqual([1])
  await runFor(relay, 1, 1)
  expect(await followed('mended', 'queue')).toEqual([1, 2])
})

test('tries follow later and later, from a second to a quarter of an hour; after six hours it is parked and tried hourly', async () => {
  const tenant = spine.newTenant()
  const tries: number[] = []
  let isBroken = true
  const counted: Follower = {
    name: 'counted',
    follow(_, events) {
      if (!isBroken || !events.some(({ aggregateId }) => aggregateId === 'slowly')) return
      tries.push(nowMs)
      throw new Error('cannot')
    },
  }
  const relay = relayWith(counted)
  await spine.emit(tenant, { aggregateId: 'slowly', type: 'thing.asked' })
  await relay.runOnce()
  const startedMs = nowMs
  // As it came, alone, and late.
  expect(tries).toEqual([startedMs, startedMs, startedMs])
  const waits: number[] = []
  while (nowMs < startedMs + 8 * hour * 1000) {
    const [due] = await spine.sql<{ at: Date }>('select due_at as at from follower_backlog')
    const dueMs = due?.at.getTime() ?? 0
    waits.push((dueMs - nowMs) / 1000)
    nowMs = dueMs - 1
    await relay.runOnce()
    const before = tries.length
    nowMs = dueMs
    await relay.runOnce()
    expect(tries.length - before).toBe(1)
    expect(tries.at(-1)).toBe(dueMs)
  }
  expect(waits.slice(0, 12)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
  expect(waits.filter((wait) => wait > 900)).toEqual([3600, 3600])
  const [parked] = await behind()
  expect(parked?.state).toBe('parked')
  expect((parked?.parked_at?.getTime() ?? 0) - startedMs).toBeLessThan((6 * hour + 900) * 1000)
  const said = relay.lines.filter(({ level }) => level === 'error')
  expect(said).toMatchObject([
    { msg: 'relay: what follows from an event has failed for minutes' },
    { msg: 'relay: an event has failed for hours and is parked; it is tried every hour' },
  ])
  for (const line of said) {
    expect(line).toMatchObject({ aggregate: 'slowly', follower: 'counted', type: 'thing.asked' })
  }
  isBroken = false
  await runFor(relay, hour, 600)
  expect(await behind()).toEqual([])
  expect(relay.lines.at(-1)).toMatchObject({
    level: 'warn',
    msg: 'relay: an event that a follower failed at has been followed',
    aggregate: 'slowly',
  })
})

test('a person can have what is parked tried at once, and another try that fails parks it again', async () => {
  const tenant = spine.newTenant()
  let isBroken = true
  const relay = relayWith(recorder('hurried', ({ aggregateId }) => isBroken && aggregateId === 'hurry'))
  await spine.emit(tenant, { aggregateId: 'hurry' }, { aggregateId: 'hurry', sequence: 2 })
  await relay.runOnce()
  await runFor(relay, 7 * hour, 900)
  const [parked] = await behind()
  expect(parked).toMatchObject({ state: 'parked', events: 2 })
  const ask = () => spine.pools.single(hurryEvents(tenant, [parked?.event_id ?? 'evt_']))
  expect((await ask()).rows).toHaveLength(2)
  await relay.runOnce()
  expect(await behind()).toMatchObject([{ state: 'parked', tries: (parked?.tries ?? 0) + 1 }])
  isBroken = false
  await ask()
  await relay.runOnce()
  expect(await followed('hurried', 'hurry')).toEqual([1, 2])
})

test('one event among many that fails detains its own aggregate only', async () => {
  const tenant = spine.newTenant()
  const names = Array.from({ length: 60 }, (_, index) => `crowd_${index}`)
  let isBroken = true
  const relay = relayWith(recorder('picky', ({ aggregateId }) => isBroken && aggregateId === 'crowd_7'))
  await spine.emit(tenant, ...names.map((aggregateId) => ({ aggregateId })))
  await relay.runOnce()
  for (const name of names) expect(await followed('picky', name)).toEqual(name === 'crowd_7' ? [] : [1])
  isBroken = false
  await runFor(relay, 1, 1)
  expect(await followed('picky', 'crowd_7')).toEqual([1])
})

test('a follower that fails at everything is asked now and then, costs the others nothing, and catches up once it works', async () => {
  const tenant = spine.newTenant()
  let isBroken = true
  let calls = 0
  const relay = relayWith(
    recorder('dead', () => {
      calls += 1
      return isBroken
    }),
    recorder('alive'),
  )
  const emit = (sequence: number) =>
    spine.emit(
      tenant,
      ...Array.from({ length: 100 }, (_, index) => ({ aggregateId: `all_${index}`, sequence })),
    )
  await emit(1)
  await relay.runOnce()
  await runFor(relay, 30, 3)
  calls = 0
  const started = performance.now()
  await emit(2)
  await relay.runOnce()
  const tookMs = performance.now() - started
  expect(calls).toBeLessThanOrEqual(3)
  for (const index of [0, 50, 99]) expect(await followed('alive', `all_${index}`)).toEqual([1, 2])
  expect(tookMs).toBeLessThan(2_000)
  calls = 0
  await runFor(relay, hour, 60)
  expect(calls).toBeLessThan(200)
  expect(await relayStatus(spine.pools)).toMatchObject({ pending: 0, followers: [{ follower: 'dead' }] })
  expect(relay.lines.filter(({ msg }) => msg.includes('fails at everything'))).toHaveLength(1)
  await runFor(relay, 6 * hour, 600)
  const { followers } = await relayStatus(spine.pools)
  expect(followers).toMatchObject([{ follower: 'dead', waiting: expect.any(Number) }])
  expect(followers[0]?.parked).toBeGreaterThan(100)
  isBroken = false
  await runFor(relay, 120, 10)
  for (let index = 0; index < 100; index++) expect(await followed('dead', `all_${index}`)).toEqual([1, 2])
})

test('a tenant at whose events a follower fails does not speak for another', async () => {
  const [sick, sound] = twoOnOneShard()
  const relay = relayWith(recorder('torn', ({ tenant }) => isBroken && tenant.accountId === sick.accountId))
  let isBroken = true
  const many = Array.from({ length: 40 }, (_, index) => ({ aggregateId: `torn_${index}` }))
  await spine.emit(sick, ...many)
  await relay.runOnce()
  await runFor(relay, 60, 3)
  for (let sequence = 1; sequence <= 5; sequence++) {
    await spine.emit(sound, { aggregateId: 'whole', sequence })
    await runFor(relay, 5, 1)
    expect(await followed('torn', 'whole')).toHaveLength(sequence)
  }
  isBroken = false
  await runFor(relay, 1200, 100)
  expect(await followed('torn', 'whole')).toEqual([1, 2, 3, 4, 5])
  expect(await behind()).toEqual([])
})

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
  'the others go on when a follower %s, and so does it when that is over',
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
      // Sooner than a test may last, so that others who wait for ever are told from a slow machine.
      await expect.poll(() => followed(name, aggregateId), { timeout: patientMs(10_000) }).toEqual([1, 2])
    }
    const tookMs = performance.now() - startedMs
    expect(tookMs).toBeLessThan(5_000)
    expect(await followed('culprit', aggregateId)).toEqual([])
    isBroken = false
    const isOver = async () => {
      nowMs += 1000
      return (await behind()).length
    }
    await expect.poll(isOver).toBe(0)
    expect(await followed('culprit', aggregateId)).toEqual([1, 2])
    expect(await followed('culprit', `${aggregateId}, beside`)).toEqual([1])
    await relay.stop()
  },
  30_000,
)

test('what cannot be chained is chained later: merchants are told, the audit says so, and the chain is whole in the end', async () => {
  const tenant = spine.newTenant()
  await spine.sql(
    `alter table audit_entries add constraint planted check (target_id <> 'unchainable') not valid`,
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
  await spine.sql('alter table audit_entries drop constraint planted')
  await runFor(relay, 4, 1)
  expect(await verifyAudit(spine.pools, { keys: spine.auditKeys }, tenant)).toMatchObject({
    ok: true,
    entries: 4,
    unchained: { events: 0 },
  })
})

test('the first events of a tenant can come from two relays at once: the second waits, and the chain has both', async () => {
  const tenant = spine.newTenant()
  const other = (shardOf(tenant) + 1) % shardCount
  await spine.sql(`update relay_shards set holder = 'nobody', lease_until = 'infinity'`)
  const held = [await relayOfShard(shardOf(tenant)), await relayOfShard(other)] as const
  await spine.emit(tenant, { aggregateId: 'one' }, { aggregateId: 'two' })
  const toOther = `update unrelayed set shard = $1 where aggregate_id = 'two' and account_id = $2`
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
  nowMs += 2000
  const pause = spine.faults.pause('relay.read')
  const lateRun = late.runOnce()
  await pause.reached
  await spine.sql(`update relay_shards set lease_until = '-infinity'`)
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
  nowMs += 2000
  const pause = spine.faults.pause('relay.read')
  const lateRun = late.runOnce()
  await pause.reached
  await spine.sql('update relay_shards set epoch = epoch + 1')
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
        nowMs += 100
        if (sequence % 5 === 0) await endLeases()
      }
    }),
  )
  const wanted = Array.from({ length: 15 }, (_, index) => index + 1)
  for (const index of tenants.keys())
    await expect.poll(() => followed('steady', `moody_${index}`)).toEqual(wanted)
  isMoody = false
  const isOver = async () => {
    nowMs += 30_000
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
  await spine.sql(`update relay_shards set lease_until = '-infinity' where shard = $1`, [shard])
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
  return spine.sql(`update relay_shards set lease_until = '-infinity'
    where shard in (select shard from relay_shards for update skip locked)`)
}

/** Two tenants whose events go through the same shard. */
function twoOnOneShard(): readonly [Tenant, Tenant] {
  const first = spine.newTenant()
  for (;;) {
    const second = spine.newTenant()
    if (shardOf(second) === shardOf(first)) return [first, second]
  }
}
