import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { topics } from '../hints/hints.ts'
import { createMemoryHints } from '../hints/memory-hints.ts'
import { openWatch } from './watch.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

const hints = createMemoryHints()
const open = (signal = new AbortController().signal) => openWatch({ hints, aggregateId: 'pi_1', signal })

/** Milliseconds until a wait ends, and whether something has happened. */
async function waited(timeoutMs: number, watch = open()): Promise<{ ms: number; hasHappened: boolean }> {
  const startedAt = performance.now()
  const ended = watch
    .next(timeoutMs)
    .then((hasHappened) => ({ ms: performance.now() - startedAt, hasHappened }))
  await vi.advanceTimersByTimeAsync(60_000)
  return await ended
}

test('waits that are long and begin at different times end together, at most a second early; short ones end in their time', async () => {
  const ends = new Set<number>()
  for (let one = 0; one < 20; one++) {
    await vi.advanceTimersByTimeAsync(37)
    const startedAt = performance.now()
    const { ms, hasHappened } = await waited(15_000)
    expect(hasHappened).toBe(false)
    expect(ms).toBeLessThanOrEqual(15_002)
    expect(ms).toBeGreaterThan(14_000)
    ends.add(Math.floor((startedAt + ms) % 1_000))
  }
  expect(Math.max(...ends)).toBeLessThan(3)
  expect((await waited(250)).ms).toBeGreaterThanOrEqual(250)
  expect((await waited(250)).ms).toBeLessThan(253)
})

test('what happens ends a wait at once, or the next one; a caller that has left waits for nothing', async () => {
  const watch = open()
  const ended = watch.next(15_000)
  hints.publish(topics.aggregate('pi_1'))
  expect(await ended).toBe(true)
  hints.publish(topics.aggregate('pi_1'))
  await Promise.resolve()
  expect(await waited(15_000, watch)).toEqual({ ms: 0, hasHappened: true })
  expect((await waited(1_000, watch)).hasHappened).toBe(false)
  watch.close()
  const gone = new AbortController()
  const left = open(gone.signal)
  gone.abort()
  expect((await waited(15_000, left)).ms).toBe(0)
  expect((await waited(15_000, left)).ms).toBe(0)
})
