import { type Interval, intervals } from './policy-terms.ts'

/*
 * When days, weeks, months and years begin in a time zone. The time zone data of this process decides: the database is given moments and
 * computes with none, so that the two need not agree on what a zone is. Moments are milliseconds.
 */

type Period = { readonly start: number; readonly end: number }

type Periods = Readonly<Record<Interval, Period>>

const hourMs = 3_600_000
const dayMs = 86_400_000
/** No clock is further from another one. */
const zonesApartMs = 93_600_000

const lengths = {
  day: { days: 1 },
  week: { weeks: 1 },
  month: { months: 1 },
  year: { years: 1 },
} as const

/**
 * How long a period at least takes that begins where another zone ended one. Then a change of the zone neither makes a second period of
 * the same day, week, month or year, nor a day that is over when it has begun.
 */
const shortestMs = {
  day: 23 * hourMs,
  week: 7 * dayMs - zonesApartMs,
  month: 28 * dayMs - zonesApartMs,
  year: 365 * dayMs - zonesApartMs,
} as const

/** By zone: the periods of the moment that was last asked about. Nearly every question is about the present day. */
const lastAsked = new Map<string, Periods>()

/** The periods of a zone that a moment is in. */
export function periodsAt(zone: string, at: number): Periods {
  const known = lastAsked.get(zone)
  if (known && known.day.start <= at && at < known.day.end) return known
  const date = dateAt(zone, at)
  const periods = Object.fromEntries(
    intervals.map((interval) => [interval, periodOf(zone, interval, date)]),
  ) as Periods // every interval is there
  lastAsked.set(zone, periods)
  return periods
}

/** When a period ends that begins at `start`, which is where another one ended, in this zone or in another. */
export function endOfPeriod(zone: string, interval: Interval, start: number): number {
  if (interval === 'all_time') return Number.POSITIVE_INFINITY
  const date = dateAt(zone, start)
  const period = periodOf(zone, interval, date)
  if (period.start === start) return period.end
  let first = firstOf(date, interval)
  let end = period.end
  while (end < start + shortestMs[interval]) {
    first = first.add(lengths[interval])
    end = startOf(zone, first.add(lengths[interval]))
  }
  return end
}

function periodOf(zone: string, interval: Interval, date: Temporal.PlainDate): Period {
  if (interval === 'all_time') return { start: beginningMs, end: Number.POSITIVE_INFINITY }
  const first = firstOf(date, interval)
  return { start: startOf(zone, first), end: startOf(zone, first.add(lengths[interval])) }
}

const beginningMs = Date.parse('0001-01-01')

/**
 * The date that a moment counts for. Where clocks are set back across midnight the old date returns for some minutes, and its day has
 * ended.
 */
function dateAt(zone: string, at: number): Temporal.PlainDate {
  const date = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).toPlainDate()
  const next = date.add({ days: 1 })
  return startOf(zone, next) <= at ? next : date
}

/** The first moment of a date; of a date that the zone skipped, that of the next one. */
function startOf(zone: string, date: Temporal.PlainDate): number {
  return date.toZonedDateTime(zone).epochMilliseconds
}

function firstOf(date: Temporal.PlainDate, interval: Exclude<Interval, 'all_time'>): Temporal.PlainDate {
  switch (interval) {
    case 'day':
      return date
    case 'week':
      return date.subtract({ days: date.dayOfWeek - 1 })
    case 'month':
      return date.with({ day: 1 })
    case 'year':
      return date.with({ month: 1, day: 1 })
    default:
      return interval satisfies never
  }
}
