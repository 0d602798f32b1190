import type { Language, Options, Price, Terms, Wish } from './understood.ts'

/** A variant of a product that was shown. */
export type ShownVariant = {
  readonly id: string
  readonly options: readonly { readonly name: string; readonly label: string }[]
  readonly amount: number
  readonly currency: string
  readonly isAvailable: boolean
}

/** A product that was shown, with what is needed to buy it. */
export type Shown = {
  readonly id: string
  readonly title: string
  readonly merchant: string
  readonly url: string | null
  readonly amount: number
  readonly currency: string
  readonly variants: readonly ShownVariant[]
  /** Whether a purchase intent buys it. */
  readonly isSold: boolean
  /** The labels of what its shop must know. */
  readonly needs: readonly string[]
}

/** What is about to be bought. */
export type Subject = {
  readonly product: Shown
  readonly quantity: number
  readonly options: Options
  /** What was chosen by the names of the product's own options. */
  readonly chosen: Readonly<Record<string, string>>
  readonly max: Price | null
}

/** A search, as it can be changed. */
export type Search = {
  readonly query: string
  readonly options: Options
  readonly quantity: number | null
} & Terms & {
    readonly cursor: string | null
  }

/** What the planner remembers of a chat, from message to message. It is stored as JSON, so amounts are numbers in it. */
export type Memory = {
  readonly language: Language
  readonly shown: readonly Shown[]
  readonly search: Stored<Search> | null
  readonly subject: Stored<Subject> | null
  readonly asks: Asked | null
  /** The wishes of the last message that are not done yet. */
  readonly todo: readonly Stored<Wish>[]
  readonly doing: Doing | null
  /** The newest purchase of the chat. */
  readonly purchase: string | null
  /** What was spoken of last: "it" is of that. */
  readonly speaksOf: 'products' | 'purchase'
}

/** What was asked last: the choice of an option by its name, or whether to buy what is spoken of. */
type Asked =
  | { readonly kind: 'option'; readonly name: string; readonly values: readonly string[] }
  | { readonly kind: 'whether' }

/** What was called, and for what. */
export type Doing = {
  readonly what:
    | 'search'
    | 'refine'
    | 'more'
    | 'search_to_buy'
    | 'buy'
    | 'follow'
    | 'why'
    | 'return'
    | 'cancel'
    | 'retry'
    | 'button'
  readonly wish: Stored<Wish> | null
  /** Of a search that goes on because nothing fitted: how many pages were read, and what was found that is like it. */
  readonly further?: { readonly pages: number; readonly unlike: readonly Shown[] }
}

/** As JSON has it: a bigint is a number there. No amount of a wish is beyond 2^53. */
export type Stored<T> = T extends bigint
  ? number
  : T extends readonly (infer Item)[]
    ? readonly Stored<Item>[]
    : T extends object
      ? { readonly [Name in keyof T]: Stored<T[Name]> }
      : T

const nothingKnown: Memory = {
  language: 'en',
  shown: [],
  search: null,
  subject: null,
  asks: null,
  todo: [],
  doing: null,
  purchase: null,
  speaksOf: 'products',
}

/** Wishes as they are remembered. */
export function stored<T>(value: T): Stored<T> {
  return JSON.parse(JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? Number(each) : each)))
}

/** What an earlier version remembered is completed by what it did not know. */
export function remembered(memory: unknown): Memory {
  return { ...nothingKnown, ...(typeof memory === 'object' && memory !== null ? memory : {}) }
}
