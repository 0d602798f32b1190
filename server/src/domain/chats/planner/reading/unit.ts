import type { Price } from '../understood.ts'
import type { Tag } from './lexicon.ts'

/** A phrase of the text and what it is to the grammar. */
export type Unit = {
  readonly tag: Tag
  readonly value: string
  readonly text: string
  readonly start: number
  readonly end: number
  readonly price?: Price
}
