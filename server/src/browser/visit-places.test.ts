import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import type { OpenVisit } from './open-visit.ts'
import { NoPlace, VisitPlaces } from './visit-places.ts'

const hourMs = 3_600_000
const { signal } = new AbortController()

function placesOf(places: number, more: { waitingMax?: number; waitMs?: number } = {}) {
  const open = new VisitPlaces({ places, waitingMax: 40, waitMs: hourMs, keptForMs: hourMs, ...more })
  const order: string[] = []
  const held: Record<string, (() => void)[]> = {}
  return {
    open,
    /** Who got a place, in order. */
    order,
    async want(...shares: readonly string[]) {
      for (const share of shares)
        void open.take(share, signal).then((giveBack) => {
          order.push(share)
          held[share] = [...(held[share] ?? []), giveBack]
        })
      await turn()
    },
    async give(share: string) {
      const giveBack = held[share]?.shift()
      if (giveBack === undefined) throw new Error(`${share} has no place`)
      giveBack()
      await turn()
    },
  }
}

function visitOf(share: string) {
  const ended = new AbortController()
  const visit = { visit: { signal: ended.signal }, share, close: async () => ended.abort() }
  return { visit: visit as unknown as OpenVisit, isOpen: () => !ended.signal.aborted } // nothing else of it is looked at
}

describe('places at pages', () => {
  test('the last free one is for a tenant that has none, however many another asks for', async () => {
    for (const count of [2, 3, 5]) {
      const places = placesOf(count)
      await places.want(...Array.from({ length: 40 }, () => 'loud'))
      expect(places.order).toHaveLength(count - 1)
      await places.want('quiet')
      expect(places.order.at(-1)).toBe('quiet')
    }
  })

  test('where there is one place, tenants have it in turns', async () => {
    const places = placesOf(1)
    await places.want('loud', 'loud', 'loud', 'quiet', 'loud')
    for (const share of ['loud', 'quiet', 'loud']) await places.give(share)
    expect(places.order).toEqual(['loud', 'quiet', 'loud', 'loud'])
  })

  test('of those that wait, the tenant with the fewest is next, then the one that waited longest for a turn', async () => {
    const places = placesOf(3)
    await places.want('a', 'a', 'b', 'a', 'a', 'c', 'd')
    expect(places.order).toEqual(['a', 'a', 'b'])
    await places.give('b')
    await places.give('a')
    expect(places.order.slice(3)).toEqual(['c', 'd'])
    // One of `a`, `c` and `d` each: none of them may take the last place that becomes free.
    await places.give('d')
    expect(places.order).toHaveLength(5)
    await places.give('c')
    expect(places.order.slice(5)).toEqual(['a'])
  })

  test('one tenant alone waits in line, and its line has an end', async () => {
    const places = placesOf(2, { waitingMax: 2 })
    await places.want('loud', 'loud', 'loud')
    await expect(places.open.take('loud', signal)).rejects.toThrow(NoPlace)
    await places.want('quiet', 'quiet')
    expect(places.open.counts()).toMatchObject({ visits: 2, waiting: 3 })
  })

  test('nobody waits for ever', async () => {
    const places = placesOf(1, { waitMs: 1 })
    await places.want('loud')
    await expect(places.open.take('quiet', signal)).rejects.toThrow(NoPlace)
    expect(places.open.counts()).toMatchObject({ visits: 1, waiting: 0 })
  })

  test('a page that only stays open counts for its tenant, and gives way where that lets somebody in', async () => {
    const { open, want, order } = placesOf(3)
    const [first, second, guest] = [visitOf('loud'), visitOf('loud'), visitOf('quiet')]
    for (const { visit } of [first, second, guest]) open.keep(visit, await open.take(visit.share, signal))
    await want('new')
    expect([first, second, guest].map((one) => one.isOpen())).toEqual([false, true, true])
    expect(order).toEqual(['new'])
    await open.close()
  })

  test('a page stays open where to close it would help nobody', async () => {
    const { open, want, order } = placesOf(3)
    const page = visitOf('loud')
    open.keep(page.visit, await open.take('loud', signal))
    await want('loud', 'quiet', 'loud')
    // The place of the page would be the last free one, and its tenant has another.
    expect([order, page.isOpen()]).toEqual([['loud', 'quiet'], true])
    await open.close()
  })

  test('a tenant gets on whose own pages stay open, though it takes all of them', async () => {
    const { open, want, order } = placesOf(3)
    const [first, second] = [visitOf('loud'), visitOf('loud')]
    for (const { visit } of [first, second]) open.keep(visit, await open.take(visit.share, signal))
    await want('quiet', 'loud')
    await turn()
    expect([order, first.isOpen(), second.isOpen()]).toEqual([['quiet', 'loud'], false, false])
    expect(open.counts()).toMatchObject({ visits: 2, kept: 0, waiting: 0 })
  })
})
