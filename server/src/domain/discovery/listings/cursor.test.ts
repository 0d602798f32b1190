import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { beginning, cursorLengthMax, cursorOf, readCursor, type SearchPlace } from './cursor.ts'

const sealer = { hashToken: (token: string) => createHash('sha256').update(token).digest() }
const now = new Date('2026-03-01T12:00:00Z')
const use = { search: { query: 'boot' }, mode: 'test', now } as const
const later = (seconds: number) => ({ ...use, now: new Date(now.getTime() + seconds * 1_000) })

const place: SearchPlace = {
  published: { ...beginning('relevance'), id: 'cat_1', score: 7 },
  sources: [
    { id: 'rge_1', rank: 0, cursor: 'c2', offset: 3 },
    { id: 'rge_2', rank: 3, cursor: null, offset: 0 },
  ],
  turn: { isOurs: false, source: 1 },
  pages: 2,
  isPartial: true,
}

test('a cursor comes back as the place that it was made from', () => {
  const { cursor, hasEnded } = cursorOf(place, use, sealer)
  expect([readCursor(cursor, use, sealer), hasEnded]).toEqual([place, false])
  const bare = { published: null, sources: [], turn: { isOurs: true, source: 0 }, pages: 1, isPartial: false }
  expect(readCursor(cursorOf(bare, use, sealer).cursor, use, sealer)).toEqual(bare)
})

test('of another search, of the other mode, or changed anywhere, it is none', () => {
  const { cursor } = cursorOf(place, use, sealer)
  expect(readCursor(cursor, { ...use, search: { query: 'boots' } }, sealer)).toBeNull()
  expect(readCursor(cursor, { ...use, mode: 'live' }, sealer)).toBeNull()
  expect(readCursor(cursor, use, { hashToken: (token) => sealer.hashToken(`${token}!`) })).toBeNull()
  for (let at = 0; at < cursor.length; at++) {
    const changed = `${cursor.slice(0, at)}${cursor[at] === 'A' ? 'B' : 'A'}${cursor.slice(at + 1)}`
    expect(readCursor(changed, use, sealer)).toBeNull()
  }
  for (const none of ['', '.', 'a.b', `${cursor}.x`, `${cursor} `, 'W10'])
    expect(readCursor(none, use, sealer)).toBeNull()
})

test('with places of sources it is good for an hour; without, for ever', () => {
  const { cursor } = cursorOf(place, use, sealer)
  expect(readCursor(cursor, later(3_600), sealer)).toEqual(place)
  expect(readCursor(cursor, later(3_601), sealer)).toBeNull()
  const listed = { ...place, sources: [] }
  expect(readCursor(cursorOf(listed, use, sealer).cursor, later(1e9), sealer)).toEqual(listed)
})

test('where the cursors of all sources are too long together, the last ones end, and it says so', () => {
  const sources = Array.from({ length: 20 }, (_, at) => ({
    id: `rge_${at}`,
    rank: at,
    cursor: 'x'.repeat(512),
    offset: 0,
  }))
  const { cursor, hasEnded } = cursorOf({ ...place, sources, isPartial: false }, use, sealer)
  expect([cursor.length <= cursorLengthMax, hasEnded]).toEqual([true, true])
  const kept = readCursor(cursor, use, sealer)
  expect(kept?.isPartial).toBe(true)
  expect(kept?.sources).toEqual(sources.slice(0, kept?.sources.length))
  expect(kept?.sources.length).toBeGreaterThanOrEqual(10)
})
