import { expect, test } from 'vitest'
import { Slices } from './slices.ts'

/** Each item takes `itemMs`; what others do meanwhile takes no time. */
function inSlices({ items, itemMs, cpuMsMax }: { items: number; itemMs: number; cpuMsMax: number }) {
  let now = 0
  let done = 0
  let turns = 0
  let longestMs = 0
  let sinceMs = 0
  const slices = new Slices({
    cpuMsMax,
    nowMs: () => now,
    async yieldTurn() {
      turns += 1
      longestMs = Math.max(longestMs, now - sinceMs)
      sinceMs = now
    },
  })
  const all = slices.each(Array.from({ length: items }), () => {
    done += 1
    now += itemMs
  })
  return all.then(
    () => ({ done, turns, longestMs }),
    (error: unknown) => ({ done, turns, longestMs, error }),
  )
}

test('long computing gives the event loop back every few milliseconds, and short computing never', async () => {
  expect(await inSlices({ items: 3, itemMs: 1, cpuMsMax: 100 })).toEqual({ done: 3, turns: 0, longestMs: 0 })
  const long = await inSlices({ items: 1000, itemMs: 1, cpuMsMax: 1000 })
  expect(long.done).toBe(1000)
  expect(long.turns).toBeGreaterThan(50)
  expect(long.longestMs).toBeLessThanOrEqual(15)
})

test('computing beyond its bound is refused as busy, soon after the bound', async () => {
  const refused = await inSlices({ items: 1000, itemMs: 1, cpuMsMax: 100 })
  expect(refused).toMatchObject({ error: { code: 'busy' } })
  expect(refused.done).toBeLessThanOrEqual(120)
  const atTheEnd = await inSlices({ items: 12, itemMs: 1, cpuMsMax: 10 })
  expect(atTheEnd).toMatchObject({ error: { code: 'busy' } })
})
