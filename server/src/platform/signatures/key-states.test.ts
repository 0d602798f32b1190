import { expect, test } from 'vitest'
import { type KeyTimes, nextSignsFrom, statesOf } from './key-states.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const start = new Date('2026-01-01T00:00:00Z')
const at = (ms: number) => new Date(start.getTime() + ms)

function key(createdMs: number, signsFromMs: number, removedMs: number | null = null): KeyTimes {
  return {
    created_at: at(createdMs),
    signs_from: at(signsFromMs),
    removed_at: removedMs === null ? null : at(removedMs),
  }
}

function states(keys: KeyTimes[], ms: number): string[] {
  return statesOf(keys, at(ms)).map(({ state }) => state)
}

const second = key(day, day + hour)
const first = key(0, 0)

test.each([
  ['only one', [first], 0, ['signing']],
  ['a new one is published before it signs', [second, first], day + hour - 1, ['published', 'signing']],
  ['then it signs, and the old one stays', [second, first], day + hour, ['signing', 'retired']],
  ['for seven days', [second, first], 8 * day + hour - 1, ['signing', 'retired']],
  ['and no longer', [second, first], 8 * day + hour, ['signing', 'removed']],
  [
    'without the new one the old one signs again',
    [key(day, day + hour, 2 * day), first],
    2 * day,
    ['removed', 'signing'],
  ],
  ['a removed one is nothing', [second, key(0, 0, 1)], day + hour, ['signing', 'removed']],
])('%s', (_name, keys, ms, expected) => {
  expect(states(keys, ms)).toEqual(expected)
})

test.each([
  ['the first one signs at once, also by a clock that is late', [], 5, 5 - minute],
  ['while one signs, none is made', [first], 90 * day - 1, null],
  ['after ninety days the next one is published', [first], 90 * day, 90 * day + hour],
  ['and only one', [key(90 * day, 90 * day + hour), first], 90 * day + 1, null],
  ['where the only one is removed, the next one signs at once', [key(0, 0, 7)], 7, 7 - minute],
  [
    'also where one is published that does not sign yet',
    [second, key(0, 0, day + 1)],
    day + 1,
    day + 1 - minute,
  ],
  [
    'a removed one does not count as new',
    [key(89 * day, 89 * day + hour, 89 * day + 1), first],
    90 * day,
    90 * day + hour,
  ],
])('%s', (_name, keys, ms, expected) => {
  expect(nextSignsFrom(keys, at(ms))).toEqual(expected === null ? null : at(expected))
})
