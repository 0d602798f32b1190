import { expect, test } from 'vitest'
import { FollowerTrust } from './follower-trust.ts'

const quick = { tookMs: 5, nowMs: 0 }

test('a follower that fails at one object, again and again, is trusted with all others', () => {
  const trust = new FollowerTrust()
  for (let tries = 0; tries < 50; tries++) {
    expect(trust.failed('one', { ...quick, aggregate: 'a' })).toBe(false)
    expect(trust.isTrusted('one')).toBe(true)
    expect(trust.mayTry('one', 0)).toBe(true)
  }
})

test('three objects in a row, with no success between, are the follower; it says so once, and another one is not touched', () => {
  const trust = new FollowerTrust()
  const told = ['a', 'b', 'c', 'd'].map((aggregate) => trust.failed('one', { ...quick, aggregate }))
  expect(told).toEqual([false, false, true, false])
  expect([trust.isTrusted('one'), trust.isTrusted('other')]).toEqual([false, true])
})

test('a success in between starts the count again', () => {
  const trust = new FollowerTrust()
  for (const aggregate of ['a', 'b']) trust.failed('one', { ...quick, aggregate })
  trust.succeeded('one')
  for (const aggregate of ['c', 'd']) trust.failed('one', { ...quick, aggregate })
  expect(trust.isTrusted('one')).toBe(true)
})

test('one failure that took long is enough: others wait for each', () => {
  const trust = new FollowerTrust()
  expect(trust.failed('one', { aggregate: 'a', tookMs: 1_000, nowMs: 0 })).toBe(true)
  expect(trust.isTrusted('one')).toBe(false)
})

test.each([
  ['at once', 5, [1, 2, 4, 5, 5]],
  ['late', 5_000, [1, 2, 4, 8, 16, 32, 60, 60]],
])(
  'a follower that fails %s is tried again after longer and longer waits, up to a bound',
  (_, tookMs, seconds) => {
    const trust = new FollowerTrust()
    for (const aggregate of ['a', 'b']) trust.failed('one', { ...quick, aggregate })
    let nowMs = 0
    for (const pause of seconds) {
      trust.failed('one', { aggregate: 'c', tookMs, nowMs })
      expect(trust.mayTry('one', nowMs + pause * 1000 - 1)).toBe(false)
      nowMs += pause * 1000
      expect(trust.mayTry('one', nowMs)).toBe(true)
    }
  },
)

test('a success after a long time of failing says so: what waits for its next try need not wait', () => {
  const trust = new FollowerTrust()
  for (const aggregate of ['a', 'b', 'c']) trust.failed('one', { ...quick, aggregate })
  expect(trust.succeeded('one')).toBe(false)
  expect(trust.isTrusted('one')).toBe(true)
  for (const aggregate of ['a', 'b', 'c', 'd', 'e', 'f']) trust.failed('one', { ...quick, aggregate })
  expect(trust.succeeded('one')).toBe(true)
  expect(trust.succeeded('one')).toBe(false)
})
