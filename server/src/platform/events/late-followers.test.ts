import { afterAll, afterEach, expect, test } from 'vitest'
import { isInTime } from '../../../test/gate/pace.ts'
import { recorder, startFollowing } from '../../../test/harness/following.ts'
import type { Tenant } from '../../contract/context.ts'
import { shardOf } from './append-events.ts'
import type { Follower } from './follower.ts'
import { relayStatus } from './relay-status.ts'
import { hurryEvents } from './unpark-events.ts'

const following = await startFollowing()
const { spine, clock, relayWith, followed, behind, runFor } = following

afterEach(following.reset)
afterAll(following.close)

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
    // In the round in which they came, although the other follower fails.
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

test('once the follower works again, new events wait for the late ones before them', async () => {
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
      tries.push(clock.ms)
      throw new Error('cannot')
    },
  }
  const relay = relayWith(counted)
  await spine.emit(tenant, { aggregateId: 'slowly', type: 'thing.asked' })
  await relay.runOnce()
  const startedMs = clock.ms
  // The event was tried with its batch, alone, and late.
  expect(tries).toEqual([startedMs, startedMs, startedMs])
  const waits: number[] = []
  while (clock.ms < startedMs + 8 * hour * 1000) {
    const [due] = await spine.sql<{ at: Date }>('select due_at as at from follower_backlog')
    const dueMs = due?.at.getTime() ?? 0
    waits.push((dueMs - clock.ms) / 1000)
    clock.ms = dueMs - 1
    await relay.runOnce()
    const before = tries.length
    clock.ms = dueMs
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

test('a person can have a parked event tried at once, and a failed try parks it again', async () => {
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

test('a follower that fails at everything is tried now and then, costs the others nothing, and catches up once it works', async () => {
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
  expect(isInTime(tookMs, 2_000)).toBe(true)
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

test('a follower that fails at one tenant’s events follows those of another', async () => {
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

/** Two tenants whose events go through the same shard. */
function twoOnOneShard(): readonly [Tenant, Tenant] {
  const first = spine.newTenant()
  for (;;) {
    const second = spine.newTenant()
    if (shardOf(second) === shardOf(first)) return [first, second]
  }
}
