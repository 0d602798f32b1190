import { createHash } from 'node:crypto'
import type { Sealer } from '../../../contract/context.ts'

/** Where the next page begins. */
export type Place = {
  /** Matches that are older than this listing: see `rankedAtOnce`. */
  readonly before: string
  readonly score: number
  readonly price: number
  readonly id: string
  /** Whether words that something has are searched for in close spellings as well. */
  readonly isWide: boolean
}

type Signing = Pick<Sealer, 'hashToken'>

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

/** Opaque to callers, and signed: a cursor of another search, or one that was changed, is none. */
export function cursorOf(place: Place, search: object, sealer: Signing): string {
  const told = Buffer.from(
    JSON.stringify([place.before, place.score, place.price, place.id, place.isWide]),
  ).toString('base64url')
  return `${told}.${signatureOf(told, search, sealer)}`
}

export function placeOf(cursor: string, search: object, sealer: Signing): Place | null {
  const [told = '', signature, ...rest] = cursor.split('.')
  if (rest.length > 0 || signature !== signatureOf(told, search, sealer)) return null
  const [before, score, price, id, isWide]: [string, number, number, string, boolean] = JSON.parse(
    Buffer.from(told, 'base64url').toString(),
  )
  return { before, score, price, id, isWide }
}

/** Compared by equality, in no constant time: who guesses a place has gained nothing but a page of public products. */
function signatureOf(told: string, search: object, sealer: Signing): string {
  const asked = createHash('sha256').update(JSON.stringify(search)).digest('base64url')
  return sealer.hashToken(`catalog cursor ${told} ${asked}`).subarray(0, 12).toString('base64url')
}
