import { expect, test } from 'vitest'
import { estimateOf, type TimeUnit, type Timing } from './timing.ts'

const span = (min: number, max: number, unit: TimeUnit) => ({ min, max, unit })

// 2026-11-20 is a Friday; Berlin is an hour ahead of UTC.
const cases: [string, Timing, string, string, string | null][] = [
  ['says nothing without spans', { cutoff_local_time: '12:00' }, '2026-11-20T10:00Z', 'UTC', null],
  [
    'adds transit to handling',
    { handling: span(1, 2, 'hour'), transit: span(30, 45, 'minute') },
    '2026-11-20T10:00Z',
    'UTC',
    '2026-11-20T11:30Z 2026-11-20T12:45Z',
  ],
  [
    'passes over the weekend in business days',
    { handling: span(0, 1, 'business_day'), transit: span(1, 3, 'business_day') },
    '2026-11-20T10:00Z',
    'UTC',
    '2026-11-23T10:00Z 2026-11-26T10:00Z',
  ],
  [
    'begins on Monday for an order on a Sunday',
    { handling: span(0, 4, 'business_day') },
    '2026-11-22T23:30Z',
    'UTC',
    '2026-11-23T00:00Z 2026-11-27T00:00Z',
  ],
  [
    'counts a week of business days as one',
    { transit: span(5, 10, 'business_day') },
    '2026-11-18T08:00Z',
    'UTC',
    '2026-11-25T08:00Z 2026-12-02T08:00Z',
  ],
  [
    'counts as of the next day from the cutoff on',
    { handling: span(0, 1, 'day'), cutoff_local_time: '14:00' },
    '2026-11-20T14:00Z',
    'UTC',
    '2026-11-21T00:00Z 2026-11-22T00:00Z',
  ],
  [
    'takes the cutoff in the time zone of the location',
    { handling: span(0, 0, 'day'), cutoff_local_time: '14:00' },
    '2026-11-20T13:30Z',
    'Europe/Berlin',
    '2026-11-20T23:00Z 2026-11-20T23:00Z',
  ],
  [
    'is in time before the cutoff',
    { handling: span(0, 0, 'day'), cutoff_local_time: '14:00' },
    '2026-11-20T12:59Z',
    'Europe/Berlin',
    '2026-11-20T12:59Z 2026-11-20T12:59Z',
  ],
  [
    'keeps the time of day when the clocks change',
    { transit: span(1, 1, 'day') },
    '2026-10-24T10:00Z',
    'Europe/Berlin',
    '2026-10-25T11:00Z 2026-10-25T11:00Z',
  ],
  [
    'ends a month where the calendar ends it',
    { transit: span(1, 2, 'month') },
    '2027-01-31T08:00Z',
    'UTC',
    '2027-02-28T08:00Z 2027-03-31T08:00Z',
  ],
  [
    'knows weeks',
    { transit: span(1, 2, 'week') },
    '2026-11-20T10:00Z',
    'UTC',
    '2026-11-27T10:00Z 2026-12-04T10:00Z',
  ],
]

test.each(cases)('an estimate %s', (_, timing, at, zone, expected) => {
  const estimate = estimateOf(timing, new Date(at), zone)
  const short = (date: Date) => date.toISOString().replace(':00.000Z', 'Z')
  expect(estimate && `${short(estimate.earliest)} ${short(estimate.latest)}`).toBe(expected)
})
