/** The languages that the planner reads, by their ISO 639-1 codes. */
export const languages = ['en', 'de', 'fr', 'es', 'ja'] as const
export type Language = (typeof languages)[number]

/** An amount as a person wrote it, in minor units; the currency is null where none was written. */
export type Price = { readonly amount: bigint; readonly currency: string | null }

/**
 * One of several things that were shown: by its place (1 is the first, -1 the last), by what is said of it, or the one that is spoken of.
 */
export type Which =
  | { readonly by: 'place'; readonly place: number }
  | { readonly by: 'extreme'; readonly extreme: 'cheapest' | 'dearest' | 'best_rated' | 'fastest' }
  /** Words of its title, or an option: "the blue one" has the option and no words. */
  | { readonly by: 'words'; readonly words: string }
  | { readonly by: 'options' }
  | { readonly by: 'it' }

/**
 * Options of a product that a person names. Colors, materials and sizes in words are in English, whatever the language (`blue`, `cotton`,
 * `large`); other sizes as they were written, in upper case (`M`, `42`, `1.5 L`).
 */
export type Options = Readonly<Partial<Record<'color' | 'size' | 'material', string>>>

/** What limits or orders products. */
export type Terms = {
  readonly max?: Price
  readonly min?: Price
  readonly sort?: 'price' | 'price_descending' | 'rating' | 'delivery'
  /** A merchant, as it was written: a name or a domain. */
  readonly merchant?: string
  /** The words that products must not have. */
  readonly without?: readonly string[]
}

/** One wish of a person. A slot that was not said is absent. */
export type Wish =
  /** Find products. `query` is the words to search by, in the person's language, without fillers, terms and numbers of pieces. */
  | ({
      readonly action: 'search'
      readonly query: string
      readonly options?: Options
      readonly quantity?: number
    } & Terms)
  /** Change the last search: "cheaper", "in blue", "under 30 €", "other ones". `cheaper` is relative to what was shown. */
  | ({
      readonly action: 'refine'
      readonly cheaper?: true
      readonly more?: true
      readonly options?: Options
    } & Terms)
  /** Compare the things that were shown. */
  | { readonly action: 'compare'; readonly by: 'price' | 'rating' | 'delivery' }
  /** See more about one of the things that were shown. */
  | { readonly action: 'show'; readonly which: Which; readonly options?: Options }
  /** Buy. With `query`: something that was not shown before; with `which`: something that was. */
  | {
      readonly action: 'buy'
      readonly which?: Which
      readonly query?: string
      readonly quantity?: number
      readonly options?: Options
      readonly max?: Price
      readonly merchant?: string
    }
  /** Change how many, or which option, of what is about to be bought. Also the answer to "which size?" */
  | {
      readonly action: 'adjust'
      readonly quantity?: number
      readonly options?: Options
      readonly which?: Which
    }
  /** Yes and no to what was asked. Neither approves a purchase. */
  | { readonly action: 'yes' }
  | { readonly action: 'no' }
  /** Where a purchase is; what was bought. */
  | { readonly action: 'follow'; readonly which?: Which }
  | { readonly action: 'cancel'; readonly which?: Which }
  | { readonly action: 'return'; readonly which?: Which }
  | { readonly action: 'why'; readonly which?: Which }
  | { readonly action: 'retry'; readonly which?: Which }
  | { readonly action: 'greet' }
  | { readonly action: 'thank' }
  /** What the agent is and can do. */
  | { readonly action: 'help' }
  /** Something that it does not do: change an address, a card, a limit, talk about the weather. `what` where it is one of these. */
  | { readonly action: 'refuse'; readonly what?: 'address' | 'card' | 'limit' | 'person' }
  /** Not understood: it asks back. */
  | { readonly action: 'unclear' }

/** A message as the planner reads it: its wishes, in order. "No, rather the green one" is one wish, the last. */
export type Understood = { readonly language: Language; readonly wishes: readonly Wish[] }

/** What reading depends on besides the words. */
export type Spoken = {
  /** The language of the last message; null for the first. */
  readonly language: Language | null
  /** The titles of the products that were shown last, in their order. */
  readonly shown: readonly string[]
  /** What the agent asked last, where it waits for an answer: an option, how many, whether, or nothing. */
  readonly asked: 'color' | 'size' | 'material' | 'quantity' | 'whether' | null
  /** Whether a product is spoken of, or about to be bought. */
  readonly hasSubject: boolean
  /** Whether there is a purchase in this thread. */
  readonly hasPurchase: boolean
}
