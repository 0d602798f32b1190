import { containsPattern, startingWith } from '../../../contract/page.ts'

/** What the statements of a search are given. Null where there is no search, and where that part of it makes no sense. */
export type SearchTerms = {
  /** Anywhere in the text of the newest purchases. */
  readonly anywhere: string
  /** At the beginning of an id, a reference or a shop, of all purchases: from here, and before there. */
  readonly starts_from: string
  readonly starts_before: string
  /** Anywhere in a person's name. */
  readonly within_name: string | null
}

/** Shorter texts stand in nearly every name, and an index of trigrams cannot find them. */
const nameLengthMin = 3

export function searchTerms(q: string): SearchTerms {
  const anywhere = containsPattern(q) ?? ''
  return { anywhere, ...startingWith(q), within_name: q.length < nameLengthMin ? null : anywhere }
}
