import fc from 'fast-check'
import { expect, test } from 'vitest'
import { tenthInGate } from '../../../test/gate/tenth-in-gate.ts'
import { pools, usePolicyDatabase } from '../../../test/harness/policy-units.ts'
import { statement } from '../../contract/statement.ts'
import { type Interval, intervals } from './policy-terms.ts'
import { roomAfter, windowsAfter } from './reserve-as-decided.sql.ts'
import {
  type CounterWindows,
  rollTo,
  startsOf,
  toStored,
  type Windows,
  withEnds,
  withHeld,
} from './windows.ts'

usePolicyDatabase()

const cases = tenthInGate(100_000)
const inOneStatement = 5_000

type Limit = { interval: Interval; max_amount: number | null; max_count: number | null }
type Case = { now: Date; zone: string; windows: CounterWindows; limits: Limit[]; amount: number }

/** Instants around the ends of days, weeks, months and years, and any others of three years. */
const instant = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('2026-01-01', '2026-03-01', '2026-07-20', '2026-12-31', '2027-01-01', '2028-02-29'),
      fc.constantFrom(-86_400_001, -1, 0, 1, 43_200_000, 86_399_999),
    )
    .map(([day, ms]) => new Date(Date.parse(`${day}T00:00:00.000Z`) + ms)),
  fc.date({ min: new Date('2025-06-01'), max: new Date('2028-06-01'), noInvalidDate: true }),
)

/** Zones whose days begin at odd times, are skipped, begin at one o'clock, or have 22, 23, 25 or 26 hours. */
const zone = fc.constantFrom(
  'UTC',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Etc/GMT+12',
  'Antarctica/Troll',
  'Asia/Beirut',
  'Africa/Cairo',
  'America/Santiago',
  'America/Havana',
  'America/Los_Angeles',
  'America/St_Johns',
)

/** Small ones meet each other's bounds; the largest are those that the contract allows. */
const amount = fc.oneof(fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 1_000_000_000_000 }))
const count = fc.integer({ min: 0, max: 6 })

/**
 * As a policy's counter stores them: each interval where it was last used, before or after this moment, or never; in the zone of today or
 * in another, and then with its end if it ran when the zone changed.
 */
const windows = fc
  .array(fc.tuple(fc.constantFrom(...intervals), instant, zone, amount, amount, count, fc.boolean()), {
    maxLength: 5,
  })
  .map((used) =>
    Object.fromEntries(
      used.map(([interval, at, was, reserved, spent, number, hasEnd]) => {
        const began = rollTo({}, at, was)
        const { start, end } = (hasEnd ? withEnds(began, was) : began)[interval]
        const amounts = { reserved: String(reserved), spent: String(spent), count: number }
        return [interval, { start, ...(end === undefined ? {} : { end }), ...amounts }]
      }),
    ),
  )

const limit = fc.record({
  interval: fc.constantFrom(...intervals),
  max_amount: fc.option(fc.oneof(fc.integer({ min: 0, max: 40 }), amount)),
  max_count: fc.option(fc.integer({ min: 1, max: 7 })),
})

const anyCase: fc.Arbitrary<Case> = fc.record({
  now: instant,
  zone,
  windows,
  limits: fc.array(limit, { maxLength: 4 }),
  amount,
})

type Held = { windows: CounterWindows; starts: Record<Interval, string>; is_enough: boolean }

const holdEach = statement<Held, { cases: string }>(
  '',
  `select after.windows, after.starts, room.is_enough
   from jsonb_array_elements($cases::jsonb) with ordinality as given(of_it, place)
   cross join lateral (select given.of_it -> 'windows' as windows, given.of_it -> 'limits' as limits) locked
   cross join lateral (select (given.of_it ->> 'amount')::bigint as amount, given.of_it ->> 'starts' as starts) decided
   cross join lateral (${windowsAfter}) after
   cross join lateral (${roomAfter}) room
   order by given.place`,
)

/** The same by the code that decides under a lock. */
function heldByCode({ limits, amount }: Case, rolled: Windows | undefined): Held[] {
  if (!rolled) return []
  const held = withHeld(rolled, BigInt(amount), 1)
  const { created: _, ...stored } = toStored(held)
  const is_enough = limits.every(({ interval, max_amount, max_count }) => {
    const { reserved, spent, count } = held[interval]
    return (
      (max_amount === null || reserved + spent <= BigInt(max_amount)) &&
      (max_count === null || count <= max_count)
    )
  })
  return [{ windows: stored, starts: startsOf(held), is_enough }]
}

test('the statement that reserves without a lock has the windows, and the room in them, of the code that decides', async () => {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const given = fc.sample(anyCase, { numRuns: cases, seed })
  let rooms = 0
  for (let done = 0; done < given.length; done += inOneStatement) {
    const some = given.slice(done, done + inOneStatement)
    const rolled = some.map(({ windows, now, zone }) => rollTo(windows, now, zone))
    const sent = some.map((one, index) => {
      const windows = rolled[index]
      return { ...one, starts: windows ? JSON.stringify(startsOf(windows)) : null }
    })
    const held = await pools.read(holdEach({ cases: JSON.stringify(sent) }))
    const expected = some.flatMap((one, index) => heldByCode(one, rolled[index]))
    rooms += expected.filter(({ is_enough }) => is_enough).length
    const place = held.findIndex(
      (one, index) => JSON.stringify(sorted(one)) !== JSON.stringify(sorted(expected[index])),
    )
    // The first that differs, with what it was made of.
    if (place >= 0)
      expect(held[place], `seed ${seed}: ${JSON.stringify(some[place])}`).toEqual(expected[place])
    expect(held).toHaveLength(some.length)
  }
  // Neither answer is rare.
  expect(Math.min(rooms, cases - rooms)).toBeGreaterThan(cases / 10)
})

/** With the members of objects in one order. */
function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  )
}
