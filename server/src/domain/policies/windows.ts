import { endOfPeriod, periodsAt } from './periods.ts'
import { type Interval, intervals } from './policy-terms.ts'

/** Which window: the moment when it began, as a key in the order of time. At midnight in UTC it is the date alone. */
type Began = {
  start: string
  /** When it ends, where that is not when the period of its start ends in the policy's zone: the zone has changed since it began. */
  end?: string | null
}

/** What is used of one window: reserved by purchases under way, spent by those that have ended, and the number of both. */
type WindowUse = Began & { reserved: bigint; spent: bigint; count: number }

/** The windows of one policy at one time; `created` counts the intents created that day. */
type Windows = Record<Interval, WindowUse> & { created: Began & { count: number } }

/** As they are read: the window of each interval that was last used. Amounts are texts, since JSON numbers are doubles. */
export type CounterWindows = {
  [I in Interval]?: Began & { reserved: string; spent: string; count: number }
} & { created?: Began & { count: number } }

/** The start of the window of each interval. */
export type WindowStarts = Record<Interval, string>

/** The starts of the windows of a policy that was never used. */
export function windowStarts(now: Date, zone: string): WindowStarts {
  const periods = periodsAt(zone, now.getTime())
  return {
    day: keyOf(periods.day.start),
    week: keyOf(periods.week.start),
    month: keyOf(periods.month.start),
    year: keyOf(periods.year.start),
    all_time: beginning,
  }
}

const beginning = '0001-01-01'

/**
 * The windows at `now`: a window that has ended is replaced by an empty one. Never by an earlier one: a process whose time is a moment
 * behind counts in the window that another process has begun.
 */
export function rollTo(stored: CounterWindows, now: Date, zone: string): Windows {
  const regular = windowStarts(now, zone)
  const startAfter = (known: Began | undefined, interval: Interval) =>
    known ? startFollowing(known, { interval, zone, at: now.getTime(), regular }) : regular[interval]
  function use(interval: Interval): WindowUse {
    const known = stored[interval]
    const start = startAfter(known, interval)
    if (known?.start !== start) return { start, reserved: 0n, spent: 0n, count: 0 }
    return { ...known, reserved: BigInt(known.reserved), spent: BigInt(known.spent) }
  }
  const created = stored.created
  const day = startAfter(created, 'day')
  return {
    day: use('day'),
    week: use('week'),
    month: use('month'),
    year: use('year'),
    all_time: use('all_time'),
    created: created?.start === day ? created : { start: day, count: 0 },
  }
}

/**
 * The start of the window that runs at a moment, after the one that was last used. That one runs until its end, whatever has become of
 * the zone. The next begins there: a policy whose zone changed has no window twice, and none early.
 */
function startFollowing(
  known: Began,
  { interval, zone, at, regular }: { interval: Interval; zone: string; at: number; regular: WindowStarts },
): string {
  const own = regular[interval]
  if (!known.end && known.start === own) return own
  const end = endOf(known, interval, zone)
  if (at < end) return known.start
  return at < endOfPeriod(zone, interval, end) ? keyOf(end) : own
}

/** When a window ends; never, where it is of all time. */
export function endOf({ start, end }: Began, interval: Interval, zone: string): number {
  return end ? Date.parse(end) : endOfPeriod(zone, interval, Date.parse(start))
}

/** The windows as they run on when the policy gets another zone: each until the end that it has. */
export function endedIn(windows: Windows, zone: string): Windows {
  const ended = <W extends Began>(use: W, interval: Interval): W =>
    interval === 'all_time' ? use : { ...use, end: new Date(endOf(use, interval, zone)).toISOString() }
  return { ...mapWindows(windows, ended), created: ended(windows.created, 'day') }
}

/** A moment as it is shown. */
export function momentOf(key: string): string {
  return new Date(key).toISOString()
}

function keyOf(ms: number): string {
  return new Date(ms).toISOString().replace('T00:00:00.000Z', '')
}

export function toStored(windows: Windows): CounterWindows {
  const stored: CounterWindows = { created: windows.created }
  for (const interval of intervals) {
    const { reserved, spent, ...rest } = windows[interval]
    stored[interval] = { ...rest, reserved: reserved.toString(), spent: spent.toString() }
  }
  return stored
}

export function startsOf(windows: Windows): WindowStarts {
  return {
    day: windows.day.start,
    week: windows.week.start,
    month: windows.month.start,
    year: windows.year.start,
    all_time: windows.all_time.start,
  }
}

/** The windows with `amount` reserved in each. */
export function withHeld(windows: Windows, amount: bigint, count: number): Windows {
  return mapWindows(windows, (use) => ({ ...use, reserved: use.reserved + amount, count: use.count + count }))
}

/** The windows after a release, in the windows of the reservation; those that have ended since need no correction. */
export function withGivenBack(
  windows: Windows,
  held: { starts: WindowStarts; amount: bigint; count: number },
): Windows {
  return mapWindows(windows, (use, interval) =>
    use.start === held.starts[interval]
      ? { ...use, reserved: use.reserved - held.amount, count: use.count - held.count }
      : use,
  )
}

/** The windows with a purchase that was charged `amount`. */
export function withSpent(windows: Windows, amount: bigint): Windows {
  return mapWindows(windows, (use) => ({ ...use, spent: use.spent + amount, count: use.count + 1 }))
}

/** The windows with one more intent created today. */
export function withCreated(windows: Windows): Windows {
  return { ...windows, created: { ...windows.created, count: windows.created.count + 1 } }
}

function mapWindows(windows: Windows, change: (use: WindowUse, interval: Interval) => WindowUse): Windows {
  return {
    ...windows,
    day: change(windows.day, 'day'),
    week: change(windows.week, 'week'),
    month: change(windows.month, 'month'),
    year: change(windows.year, 'year'),
    all_time: change(windows.all_time, 'all_time'),
  }
}
