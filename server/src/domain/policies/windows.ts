import { type Interval, intervals } from './policy-terms.ts'

/** What is used of one window: reserved by purchases under way, spent by those that have ended, and the number of both. */
type WindowUse = { start: string; reserved: bigint; spent: bigint; count: number }

/** The windows of one policy at one time; `created` counts the intents created that day. */
export type Windows = Record<Interval, WindowUse> & { created: { start: string; count: number } }

/** As stored: the window of each interval that was last used. Amounts are texts, since JSON numbers are doubles. */
export type CounterWindows = {
  [I in Interval]?: { start: string; reserved: string; spent: string; count: number }
} & { created?: { start: string; count: number } }

/** The first day of the window of each interval, as a date in UTC. */
export type WindowStarts = Record<Interval, string>

const beginning = '0001-01-01'
const dayMs = 86_400_000

export function windowStarts(now: Date): WindowStarts {
  const day = now.toISOString().slice(0, 10)
  const sinceMonday = (now.getUTCDay() + 6) % 7
  return {
    day,
    week: new Date(now.getTime() - sinceMonday * dayMs).toISOString().slice(0, 10),
    month: `${day.slice(0, 7)}-01`,
    year: `${day.slice(0, 4)}-01-01`,
    all_time: beginning,
  }
}

/**
 * The windows at `now`: a window that has ended is replaced by an empty one. Never by an earlier one: a process whose time is a moment
 * behind counts in the window that another process has begun.
 */
export function rollTo(stored: CounterWindows, now: Date): Windows {
  const starts = windowStarts(now)
  function use(interval: Interval): WindowUse {
    const known = stored[interval]
    if (!known || known.start < starts[interval])
      return { start: starts[interval], reserved: 0n, spent: 0n, count: 0 }
    return { ...known, reserved: BigInt(known.reserved), spent: BigInt(known.spent) }
  }
  const created = stored.created
  return {
    day: use('day'),
    week: use('week'),
    month: use('month'),
    year: use('year'),
    all_time: use('all_time'),
    created: created && created.start >= starts.day ? created : { start: starts.day, count: 0 },
  }
}

export function toStored(windows: Windows): CounterWindows {
  const stored: CounterWindows = { created: windows.created }
  for (const interval of intervals) {
    const { start, reserved, spent, count } = windows[interval]
    stored[interval] = { start, reserved: reserved.toString(), spent: spent.toString(), count }
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

/** The windows with a reservation replaced by the charged amount, in the windows of the reservation. */
export function withSettled(
  windows: Windows,
  held: { starts: WindowStarts; amount: bigint },
  actual: bigint,
): Windows {
  return mapWindows(windows, (use, interval) =>
    use.start === held.starts[interval]
      ? { ...use, reserved: use.reserved - held.amount, spent: use.spent + actual }
      : use,
  )
}

/** The windows with a charge that was settled in them changed to another amount. */
export function withCorrected(
  windows: Windows,
  settled: { starts: WindowStarts; actual: bigint },
  actual: bigint,
): Windows {
  return withSettled(windows, { starts: settled.starts, amount: 0n }, actual - settled.actual)
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
