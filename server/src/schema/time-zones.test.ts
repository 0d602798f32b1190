import { expect, test } from 'vitest'
import { normalizeTimezone } from './time-zones.ts'

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  ['america/chicago', 'America/Chicago'],
  ['AMERICA/ARGENTINA/BUENOS_AIRES', 'America/Argentina/Buenos_Aires'],
  ['utc', 'UTC'],
  ['etc/gmt+3', 'Etc/GMT+3'],
  // Links are names of the database, and are kept.
  ['asia/calcutta', 'Asia/Calcutta'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['us/pacific', 'US/Pacific'],
  ['est5edt', 'EST5EDT'],
])('%s is the time zone %s', (written, name) => {
  expect(normalizeTimezone(written)).toBe(name)
})

test.each([
  'CST',
  'PST',
  'IST',
  'JST',
  'SystemV/AST4',
  'US/Pacific-New',
  'Factory',
  '+02:00',
  'UTC+2',
  '',
  'constructor',
])('"%s" is no IANA time zone', (written) => expect(normalizeTimezone(written)).toBeUndefined())

test('the runtime reckons in every name that is taken', () => {
  const names = Intl.supportedValuesOf('timeZone').concat(
    'Asia/Kolkata',
    'US/Pacific',
    'GB',
    'Zulu',
    'Etc/GMT-14',
  )
  for (const name of names) {
    expect(normalizeTimezone(name)).toBe(name)
    expect(Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name).epochMilliseconds).toBe(0)
  }
})
