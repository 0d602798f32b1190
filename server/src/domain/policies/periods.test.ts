import { expect, test } from 'vitest'
import { endOfPeriod, periodsAt } from './periods.ts'

const hour = 3_600_000
const at = (text: string) => Date.parse(text)
const shown = (ms: number) => new Date(ms).toISOString().replace('.000Z', 'Z')

/** What a day is for people in the zone, as its clocks and calendars had it. */
const days: readonly [zone: string, moment: string, start: string, end: string, hours: number][] = [
  ['UTC', '2026-11-28T12:00:00Z', '2026-11-28T00:00:00Z', '2026-11-29T00:00:00Z', 24],
  ['Asia/Kathmandu', '2026-11-28T12:00:00Z', '2026-11-27T18:15:00Z', '2026-11-28T18:15:00Z', 24],
  ['America/Los_Angeles', '2026-03-08T20:00:00Z', '2026-03-08T08:00:00Z', '2026-03-09T07:00:00Z', 23],
  ['America/Los_Angeles', '2026-11-01T20:00:00Z', '2026-11-01T07:00:00Z', '2026-11-02T08:00:00Z', 25],
  ['Australia/Lord_Howe', '2026-04-05T00:00:00Z', '2026-04-04T13:00:00Z', '2026-04-05T13:30:00Z', 24.5],
  ['Australia/Lord_Howe', '2026-10-04T00:00:00Z', '2026-10-03T13:30:00Z', '2026-10-04T13:00:00Z', 23.5],
  ['Antarctica/Troll', '2026-03-29T12:00:00Z', '2026-03-29T00:00:00Z', '2026-03-29T22:00:00Z', 22],
  ['Antarctica/Troll', '2026-10-25T12:00:00Z', '2026-10-24T22:00:00Z', '2026-10-26T00:00:00Z', 26],
  // These clocks go forward at midnight: the day begins at one.
  ['Asia/Beirut', '2026-03-29T10:00:00Z', '2026-03-28T22:00:00Z', '2026-03-29T21:00:00Z', 23],
  ['Africa/Cairo', '2026-04-24T10:00:00Z', '2026-04-23T22:00:00Z', '2026-04-24T21:00:00Z', 23],
  ['America/Santiago', '2026-09-06T12:00:00Z', '2026-09-06T04:00:00Z', '2026-09-07T03:00:00Z', 23],
  ['America/Havana', '2026-03-08T12:00:00Z', '2026-03-08T05:00:00Z', '2026-03-09T04:00:00Z', 23],
  // These go back at midnight to the hour before: the day ends once.
  ['America/Santiago', '2026-04-04T12:00:00Z', '2026-04-04T03:00:00Z', '2026-04-05T04:00:00Z', 25],
  // Back at one minute past midnight: the new day has begun, and goes on.
  ['America/St_Johns', '2006-10-29T03:00:00Z', '2006-10-29T02:30:00Z', '2006-10-30T03:30:00Z', 25],
  // There was no 30 December.
  ['Pacific/Apia', '2011-12-30T09:59:59Z', '2011-12-29T10:00:00Z', '2011-12-30T10:00:00Z', 24],
  ['Pacific/Apia', '2011-12-30T10:00:00Z', '2011-12-30T10:00:00Z', '2011-12-31T10:00:00Z', 24],
]

test.each(days)('in %s the day of %s begins at %s and ends at %s', (zone, moment, start, end, hours) => {
  const { day } = periodsAt(zone, at(moment))
  expect([shown(day.start), shown(day.end), (day.end - day.start) / hour]).toEqual([start, end, hours])
  expect(endOfPeriod(zone, 'day', day.start)).toBe(day.end)
  expect(periodsAt(zone, day.start).day).toEqual(day)
  expect(periodsAt(zone, day.end - 1).day).toEqual(day)
  expect(periodsAt(zone, day.end).day.start).toBe(day.end)
})

test('weeks begin on Monday, and months and years on their first day, in the zone', () => {
  const { week, month, year, all_time } = periodsAt('Asia/Kathmandu', at('2026-11-28T12:00:00Z'))
  expect([week, month, year].map(({ start, end }) => [shown(start), shown(end)])).toEqual([
    ['2026-11-22T18:15:00Z', '2026-11-29T18:15:00Z'],
    ['2026-10-31T18:15:00Z', '2026-11-30T18:15:00Z'],
    ['2025-12-31T18:15:00Z', '2026-12-31T18:15:00Z'],
  ])
  expect(all_time.end).toBe(Number.POSITIVE_INFINITY)
})

/** The first moment at which the calendar on the wall has this date or a later one, found by looking at it every quarter of an hour. */
function firstMomentOf(date: string, zone: string): number {
  const wall = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short' })
  for (let ms = at(`${date}T00:00:00Z`) - 30 * hour; ; ms += hour / 4) if (wall.format(ms) >= date) return ms
}

test.each([...new Set(days.map(([zone]) => zone))])(
  'in %s the periods follow each other without a gap, and begin when the calendar on the wall turns',
  (zone) => {
    const wall = new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short' })
    for (const year of [2006, 2011, 2026]) {
      let ms = at(`${year}-01-01T12:00:00Z`)
      while (ms < at(`${year + 1}-01-03T00:00:00Z`)) {
        const { day, week, month, year: whole } = periodsAt(zone, ms)
        if (zone !== 'America/St_Johns') expect(firstMomentOf(wall.format(day.start), zone)).toBe(day.start)
        for (const period of [week, month, whole]) {
          expect(period.start).toBeLessThanOrEqual(day.start)
          expect(period.end).toBeGreaterThanOrEqual(day.end)
        }
        ms = day.end
      }
    }
  },
)

test('every time zone that a policy can name has periods', () => {
  for (const zone of Intl.supportedValuesOf('timeZone')) expect(periodsAt(zone, 0).day.end).toBeGreaterThan(0)
  for (const zone of ['US/Pacific', 'GB', 'EST', 'GMT+0', 'Etc/GMT-14', 'Asia/Kathmandu', 'Zulu', 'W-SU'])
    expect(periodsAt(zone, 0).day.end).toBeGreaterThan(0)
})
