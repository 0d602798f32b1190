import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Interval, intervals } from './policy-terms.ts'
import { type CounterWindows, endedIn, endOf, rollTo, toStored, withHeld } from './windows.ts'

const zones = [
  'UTC',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Pacific/Kiritimati',
  'Etc/GMT+12',
  'Antarctica/Troll',
  'Asia/Beirut',
  'America/Santiago',
  'America/Los_Angeles',
]

const hour = 3_600_000
const day = 24 * hour

/** A policy's counter, as time goes by. */
class Counter {
  #stored: CounterWindows = {}
  #zone: string
  constructor(zone: string) {
    this.#zone = zone
  }
  spendAt(ms: number) {
    const windows = withHeld(rollTo(this.#stored, new Date(ms), this.#zone), 1n, 1)
    this.#stored = toStored(windows)
    return windows
  }
  changeZoneAt(ms: number, zone: string) {
    this.#stored = toStored(endedIn(rollTo(this.#stored, new Date(ms), this.#zone), this.#zone))
    this.#zone = zone
  }
  endsAt(ms: number, interval: Interval) {
    return endOf(rollTo(this.#stored, new Date(ms), this.#zone)[interval], interval, this.#zone)
  }
}

test('a change of the zone leaves the running day as it is; the next one ends at midnight of the new zone', () => {
  const counter = new Counter('UTC')
  const noon = Date.parse('2026-11-28T12:00:00Z')
  const spent = counter.spendAt(noon)
  counter.changeZoneAt(noon, 'America/Los_Angeles')
  expect(new Date(counter.endsAt(noon, 'day')).toISOString()).toBe('2026-11-29T00:00:00.000Z')
  // In Los Angeles midnight of the 28th has passed; the day that was begun in UTC goes on.
  expect(counter.spendAt(Date.parse('2026-11-28T23:59:59.999Z')).day).toMatchObject({
    start: spent.day.start,
    count: 2,
  })
  const next = counter.spendAt(Date.parse('2026-11-29T08:30:00Z')).day
  expect(next).toMatchObject({ start: '2026-11-29', count: 1 })
  expect(new Date(counter.endsAt(Date.parse('2026-11-29T08:30:00Z'), 'day')).toISOString()).toBe(
    '2026-11-30T08:00:00.000Z',
  )
  expect(counter.spendAt(Date.parse('2026-11-30T08:00:00Z')).day).toMatchObject({
    start: '2026-11-30T08:00:00.000Z',
    count: 1,
  })
})

test('a zone that is changed and changed back leaves the windows as they were', () => {
  const [changed, same] = [new Counter('Asia/Kathmandu'), new Counter('Asia/Kathmandu')]
  const noon = Date.parse('2026-11-28T12:00:00Z')
  for (const counter of [changed, same]) counter.spendAt(noon)
  changed.changeZoneAt(noon + 1, 'UTC')
  changed.changeZoneAt(noon + 2, 'Asia/Kathmandu')
  for (const later of [1, 8 * hour, 3 * day, 40 * day]) {
    for (const interval of intervals) {
      expect(changed.endsAt(noon + later, interval)).toBe(same.endsAt(noon + later, interval))
      expect(changed.spendAt(noon + later)[interval].count).toBe(same.spendAt(noon + later)[interval].count)
    }
  }
})

/** How much shorter than usual a window may be. */
const least = {
  day: 22 * hour,
  week: 7 * day - 27 * hour,
  month: 28 * day - 27 * hour,
  year: 365 * day - 27 * hour,
}

test('whatever is done with the zone, there is never a window early, and never more of them than days, weeks, months or years', () => {
  const step = fc.record({
    after: fc.integer({ min: 1, max: 40 * hour }),
    zone: fc.option(fc.constantFrom(...zones)),
  })
  const begins = fc.date({ min: new Date('2025-12-20'), max: new Date('2027-01-10'), noInvalidDate: true })
  const steps = fc.array(step, { minLength: 20, maxLength: 120 })
  fc.assert(
    fc.property(begins, fc.constantFrom(...zones), steps, (from, zone, taken) => {
      const counter = new Counter(zone)
      let ms = from.getTime()
      const starts: Record<Interval, number[]> = { day: [], week: [], month: [], year: [], all_time: [] }
      for (const { after, zone: other } of taken) {
        ms += after
        if (other !== null) counter.changeZoneAt(ms, other)
        const windows = counter.spendAt(ms)
        for (const interval of intervals) {
          const begun = starts[interval]
          const start = Date.parse(windows[interval].start)
          expect(start).toBeLessThanOrEqual(ms)
          expect(counter.endsAt(ms, interval)).toBeGreaterThan(ms)
          if (begun.at(-1) !== start) begun.push(start)
          // The other zone is the one that counts only where it says the same.
          expect(windows[interval].count).toBeGreaterThan(0)
        }
      }
      for (const interval of ['day', 'week', 'month', 'year'] as const) {
        const begun = starts[interval]
        begun.slice(1).forEach((start, index) => {
          // The first one was begun by its calendar, before anything was spent.
          expect(start - (begun[index] ?? 0), interval).toBeGreaterThanOrEqual(least[interval])
        })
      }
      expect(starts.all_time).toHaveLength(1)
    }),
    { numRuns: 300 },
  )
})
