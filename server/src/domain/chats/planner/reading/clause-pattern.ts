import type { Tag } from './lexicon.ts'

/** What a clause asks as a whole, where no word of it tells alone: it says one of each of `all`, and none of `none`. */
export type ClausePattern = {
  readonly tags: readonly Tag[]
  /** Whether it can only be meant after a purchase, where there is none, or of things that were shown. */
  readonly after?: 'purchase' | 'shown' | 'nothing' | 'whether'
  readonly all: readonly RegExp[]
  readonly none?: readonly RegExp[]
  /** Whether it keeps what it names: "the kettle has not come". */
  readonly names?: true
}
