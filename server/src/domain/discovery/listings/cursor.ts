import { createHash } from 'node:crypto'
import type { Mode, Sealer } from '../../../contract/context.ts'
import type { NextSource } from './merge-page.ts'

/** Where the next page of published listings begins. */
export type Place = {
  /** Matches that are older than this listing: see `rankedAtOnce`. */
  readonly before: string
  readonly score: number
  readonly price: number
  readonly id: string
  /** Whether words that something has are searched for in close spellings as well. */
  readonly isWide: boolean
}

/** Where the next page of a source begins: so many products behind the beginning of a page of its own. */
export type SourcePlace = {
  readonly id: string
  /** Its place among the sources of the search. */
  readonly rank: number
  /** Its own cursor of that page; null: its first one. */
  readonly cursor: string | null
  readonly offset: number
}

/** Where the next page begins, in everything that is searched. */
export type SearchPlace = {
  /** Null: behind its end. */
  readonly published: Place | null
  /** The sources that have more, the best first. */
  readonly sources: readonly SourcePlace[]
  readonly turn: NextSource
  /** How many pages were before it. */
  readonly pages: number
  /** Whether a page before it left something out. */
  readonly isPartial: boolean
}

/** What a cursor is good for. */
type Use = { readonly search: object; readonly mode: Mode; readonly now: Date }

type Signing = Pick<Sealer, 'hashToken'>

/** The longest cursor, ours with those of all sources in it. */
export const cursorLengthMax = 8_192
const cursorMinutes = 60

/** Before every listing, whatever the order. `~` sorts behind every id. */
export function beginning(sort: 'relevance' | 'price_asc' | 'price_desc'): Place {
  const isRising = sort === 'price_asc'
  return {
    before: '~',
    score: 2 ** 31 - 1,
    price: isRising ? -1 : Number.MAX_SAFE_INTEGER,
    id: isRising ? '' : '~',
    isWide: false,
  }
}

type Told = [
  published: [string, number, number, string, boolean] | null,
  sources: [string, number, string | null, number][],
  turn: [boolean, number],
  pages: number,
  isPartial: boolean,
  expiresAt: number | null,
]

/**
 * Opaque to callers, and signed: a cursor of another search, or one that was changed, is none. Where the cursors of all sources are too
 * long together, the last ones end.
 */
export function cursorOf(
  place: SearchPlace,
  use: Use,
  sealer: Signing,
): { cursor: string; hasEnded: boolean } {
  const told = Buffer.from(JSON.stringify(toldOf(place, use.now))).toString('base64url')
  const cursor = `${told}.${signatureOf(told, use, sealer)}`
  if (cursor.length <= cursorLengthMax) return { cursor, hasEnded: false }
  const shorter = { ...place, sources: place.sources.slice(0, -1), isPartial: true }
  return { ...cursorOf(shorter, use, sealer), hasEnded: true }
}

function toldOf({ published, sources, turn, pages, isPartial }: SearchPlace, now: Date): Told {
  return [
    published && [published.before, published.score, published.price, published.id, published.isWide],
    sources.map(({ id, rank, cursor, offset }) => [id, rank, cursor, offset]),
    [turn.isOurs, turn.source],
    pages,
    isPartial,
    // Places in pages of others grow old; a place among listings does not.
    sources.length === 0 ? null : Math.ceil(now.getTime() / 1000) + cursorMinutes * 60,
  ]
}

/** Null: it belongs to another search, is too old, or is none of ours. */
export function readCursor(cursor: string, use: Use, sealer: Signing): SearchPlace | null {
  const [told = '', signature, ...rest] = cursor.split('.')
  if (rest.length > 0 || signature !== signatureOf(told, use, sealer)) return null
  const [published, sources, turn, pages, isPartial, expiresAt]: Told = JSON.parse(
    Buffer.from(told, 'base64url').toString(),
  )
  if (expiresAt !== null && use.now.getTime() > expiresAt * 1000) return null
  return {
    published: published && {
      before: published[0],
      score: published[1],
      price: published[2],
      id: published[3],
      isWide: published[4],
    },
    sources: sources.map(([id, rank, own, offset]) => ({ id, rank, cursor: own, offset })),
    turn: { isOurs: turn[0], source: turn[1] },
    pages,
    isPartial,
  }
}

/** Compared by equality, in no constant time: who guesses a place has gained nothing but a page of public products. */
function signatureOf(told: string, { search, mode }: Use, sealer: Signing): string {
  const asked = createHash('sha256').update(JSON.stringify(search)).digest('base64url')
  return sealer.hashToken(`catalog cursor ${mode} ${told} ${asked}`).subarray(0, 12).toString('base64url')
}
