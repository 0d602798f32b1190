import { expect, test } from 'vitest'
import { secondsToNext } from './work.ts'

const now = new Date('2026-11-30T12:00:00Z')
const before = (ms: number) => new Date(now.getTime() - ms)
const twoHoursMs = 7_200_000

test.each([
  ['each minute while somebody may be at the page', before(twoHoursMs - 1), false, 60],
  ['each hour after that', before(twoHoursMs), false, 3_600],
  ['each hour where no link was made', null, false, 3_600],
  ['every six hours once it may be charged', before(0), true, 21_600],
])('the rail is asked about an account %s', (_, linked_at, chargesEnabled, seconds) => {
  expect(secondsToNext({ linked_at }, { chargesEnabled }, now)).toBe(seconds)
})
