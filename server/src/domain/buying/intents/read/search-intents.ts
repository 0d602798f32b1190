import { containsPattern, startingWith } from '../../../../contract/page.ts'

/** The parameters of a search's statements. Null where there is no search, or where the text does not fit this part of it. */
export type SearchTerms = {
  /** Anywhere in the text of the newest purchases. */
  readonly anywhere: string
  /** At the beginning of an id, a reference or a shop, of all purchases: from this text, and before the next one. */
  readonly starts_from: string
  readonly starts_before: string
  /** Anywhere in a person's name. */
  readonly within_name: string | null
}

/** Shorter texts occur in nearly every name, and an index of trigrams cannot find them. */
const nameLengthMin = 3

export function searchTerms(q: string): SearchTerms {
  const anywhere = containsPattern(q) ?? ''
  return { anywhere, ...startingWith(q), within_name: q.length < nameLengthMin ? null : anywhere }
}
