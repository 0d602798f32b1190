import { expect, test } from 'vitest'
import { faultOfAnswer } from './asker.ts'
import { judge, lies, type Stretch, unseenLies } from './judge.ts'
import { type Deed, deedKinds } from './tenant.ts'

const deedsOf = (ms: number, beganMs = 0): Deed[] =>
  deedKinds.flatMap((kind) =>
    Array.from({ length: 20 }, (_, at) => ({ kind, beganMs: beganMs + at * 200, ms, fault: null })),
  )

const good: Stretch = {
  name: 'noise',
  size: 'gate',
  quiet: deedsOf(100),
  deeds: deedsOf(900, 10_000),
  openSince: [],
  health: Array.from({ length: 16 }, (_, at) => ({ atMs: 10_000 + at * 250, ms: 5, status: 200 })),
  rssMb: { api: 400, worker: 200 },
  report: { asked: 10, answers: { 200: 10 }, cutOff: 0, faults: [] },
  posts: 5,
  pace: 1,
  recoveredMs: 2_000,
  left: [],
}

test('a run in which everything held has no faults, and every planted lie is noticed', () => {
  expect(judge(good)).toEqual([])
  expect(lies.length).toBeGreaterThan(10)
  expect(unseenLies(good)).toEqual([])
})

test('a single long call does not move the median, but counts in the long size', () => {
  const slow = good.deeds.map((deed, at) => (at % 10 === 0 ? { ...deed, ms: 3_000 } : deed))
  expect(judge({ ...good, deeds: slow })).toEqual([])
  expect(judge({ ...good, deeds: slow, size: 'long' })).toHaveLength(3)
})

test('a machine that is three times slower may take three times as long', () => {
  const slow = deedsOf(2_500, 10_000)
  expect(judge({ ...good, deeds: slow, pace: 3 })).toEqual([])
  expect(judge({ ...good, deeds: slow })).toHaveLength(3)
})

const refusal = (status: number, detail: object, retryAfter?: string) =>
  faultOfAnswer({
    status,
    headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
    text: JSON.stringify({ detail }),
    what: 'GET /',
  })
const limited = { code: 'rate_limited', scope: 'ip', limit: 1, retry_after_seconds: 1 }

test('a refusal names its limit and says when to come back, or it is a fault', () => {
  expect(refusal(429, limited, '1')).toBeNull()
  expect(refusal(503, { code: 'busy' }, '1')).toBeNull()
  expect(refusal(409, { code: 'object_limit_reached' })).toBeNull()
  for (const fault of [
    refusal(429, limited),
    refusal(429, limited, '2'),
    refusal(429, { ...limited, scope: undefined }, '1'),
    refusal(503, { code: 'busy' }),
    refusal(503, { code: 'internal_error' }, '1'),
    refusal(500, { code: 'internal_error' }),
    refusal(422, { code: 'invalid' }),
  ])
    expect(fault).toContain('GET / answered')
})
