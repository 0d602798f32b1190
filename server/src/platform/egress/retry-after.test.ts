import { expect, test } from 'vitest'
import { parseRetryAfter } from './retry-after.ts'

test('Retry-After is seconds or a date, and nonsense is nothing', () => {
  const nowMs = Date.parse('2026-03-01T12:00:00Z')
  expect(parseRetryAfter('120', nowMs)).toBe(120)
  expect(parseRetryAfter('Sun, 01 Mar 2026 12:02:00 GMT', nowMs)).toBe(120)
  expect(parseRetryAfter('Sun, 01 Mar 2026 11:00:00 GMT', nowMs)).toBe(0)
  for (const text of [undefined, '', 'soon', '-5', '1e9']) expect(parseRetryAfter(text, nowMs)).toBeNull()
})
