import { expect, test } from 'vitest'
import { decideAttempt, decideUrgentAttempt, isFailingTooLong } from './decide-attempt.ts'

const spread = (unit: number) => () => unit
const answered = (httpStatus: number) => ({ httpStatus, error: null, retryAfterSeconds: null })

test('any 2xx acknowledges, also one whose body was not read to its end', () => {
  for (const status of [200, 201, 204, 299])
    expect(decideAttempt(answered(status), 1, spread(0))).toEqual({ result: 'succeeded' })
  expect(decideAttempt({ ...answered(200), error: 'too_large' }, 1, spread(0))).toEqual({
    result: 'succeeded',
  })
})

test('everything else is tried again at 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, and then no more', () => {
  const waits = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]
  for (const [index, seconds] of waits.entries()) {
    expect(decideAttempt(answered(500), index + 1, spread(0.5))).toEqual({
      result: 'failed',
      delaySeconds: seconds,
      isGone: false,
    })
  }
  expect(decideAttempt(answered(500), 10, spread(0.5))).toEqual({ result: 'exhausted', isGone: false })
})

test('redirects, silence and answers on the way are failures', () => {
  for (const status of [301, 302, 307, 308, 400, 404, 429, 500, 503]) {
    expect(decideAttempt(answered(status), 1, spread(0.5))).toMatchObject({ result: 'failed', isGone: false })
  }
  expect(
    decideAttempt({ httpStatus: null, error: 'timeout', retryAfterSeconds: null }, 1, spread(0.5)).result,
  ).toBe('failed')
})

test('a wait is spread by a fifth to either side', () => {
  expect(decideAttempt(answered(500), 2, spread(0))).toMatchObject({ delaySeconds: expect.closeTo(240) })
  expect(decideAttempt(answered(500), 2, spread(1))).toMatchObject({ delaySeconds: expect.closeTo(360) })
})

test('Retry-After makes a wait longer, never shorter, and a day at most', () => {
  const asked = (retryAfterSeconds: number) =>
    decideAttempt({ ...answered(429), retryAfterSeconds }, 2, spread(0.5))
  expect(asked(900)).toMatchObject({ delaySeconds: 900 })
  expect(asked(1)).toMatchObject({ delaySeconds: 300 })
  expect(asked(10_000_000)).toMatchObject({ delaySeconds: 86_400 })
})

test('410 condemns the destination, in the last attempt too', () => {
  expect(decideAttempt(answered(410), 1, spread(0.5))).toMatchObject({ result: 'failed', isGone: true })
  expect(decideAttempt(answered(410), 10, spread(0.5))).toEqual({ result: 'exhausted', isGone: true })
})

const silent = { httpStatus: null, error: 'timeout', retryAfterSeconds: null }

test('a delivery that a call waits for is tried again 1, 3 and 6 s after it was sent, however long an attempt took', () => {
  const delays = [
    [1, 0.2, 0.8],
    [1, 2, 0],
    [2, 1.5, 1.5],
    [3, 3.1, 2.9],
  ] as const
  for (const [attempt, age, delaySeconds] of delays) {
    for (const answer of [answered(500), silent]) {
      expect(decideUrgentAttempt(answer, attempt, age)).toEqual({
        result: 'failed',
        delaySeconds: expect.closeTo(delaySeconds),
        isGone: false,
      })
    }
  }
  expect(decideUrgentAttempt(answered(500), 4, 6.1)).toEqual({ result: 'exhausted', isGone: false })
})

test('a delivery that a call waits for is tried within ten seconds only', () => {
  expect(decideUrgentAttempt(silent, 1, 10).result).toBe('exhausted')
  // A timer that ended the attempt a moment before the window does not make room for another.
  expect(decideUrgentAttempt(silent, 1, 9.9991).result).toBe('exhausted')
  expect(decideUrgentAttempt(answered(503), 1, 60).result).toBe('exhausted')
  const asked = (retryAfterSeconds: number) =>
    decideUrgentAttempt({ ...answered(429), retryAfterSeconds }, 1, 0.5)
  expect(asked(9)).toMatchObject({ result: 'failed', delaySeconds: 9 })
  expect(asked(10)).toEqual({ result: 'exhausted', isGone: false })
})

test('a redirect or a refusal ends it at once, unless it says that it was not the moment', () => {
  for (const status of [301, 307, 400, 401, 404, 422])
    expect(decideUrgentAttempt(answered(status), 1, 0.1)).toEqual({ result: 'exhausted', isGone: false })
  expect(decideUrgentAttempt(answered(410), 1, 0.1)).toEqual({ result: 'exhausted', isGone: true })
  for (const status of [408, 425, 429, 500, 502, 503])
    expect(decideUrgentAttempt(answered(status), 1, 0.1).result).toBe('failed')
  expect(decideUrgentAttempt({ ...answered(202), error: 'too_large' }, 1, 0.1)).toEqual({
    result: 'succeeded',
  })
})

test('five days of nothing but failure are too long, a moment less is not', () => {
  const since = new Date('2026-03-01T00:00:00Z')
  expect(isFailingTooLong(null, since)).toBe(false)
  expect(isFailingTooLong(since, new Date('2026-03-05T23:59:59Z'))).toBe(false)
  expect(isFailingTooLong(since, new Date('2026-03-06T00:00:00Z'))).toBe(true)
})
