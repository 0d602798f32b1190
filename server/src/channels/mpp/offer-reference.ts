import type { Challenge } from '../../protocols/mpp/challenge.ts'

/** What an offer keeps: the hash of the request that it is for, and the challenge that named its price; and whether a tool did. */
export type OfferReference = {
  readonly request: string
  readonly challenge: Challenge
  readonly isTool: boolean
}

/** What an offer may keep of its own. */
const referenceBytesMax = 8_000

/** Null: the challenge is too large to be kept. */
export function writeReference(reference: OfferReference): string | null {
  const text = JSON.stringify(reference)
  return Buffer.byteLength(text) > referenceBytesMax ? null : text
}

export function readReference(text: string | null): OfferReference {
  if (text === null) throw new Error('an offer over MPP that keeps nothing')
  return JSON.parse(text) as OfferReference // written by `writeReference`
}
