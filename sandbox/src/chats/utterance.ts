/** What a person may wish of an agent that shops, as this world says it: the server is not asked what its own words mean. */

type Price = { readonly amount: number; readonly currency: string | null }

type Which =
  | { readonly by: 'place'; readonly place: number }
  | { readonly by: 'extreme'; readonly extreme: 'cheapest' | 'dearest' | 'best_rated' | 'fastest' }
  | { readonly by: 'words'; readonly words: string }
  | { readonly by: 'options' }
  | { readonly by: 'it' }

type Options = Readonly<Partial<Record<'color' | 'size' | 'material', string>>>

type Terms = {
  readonly max?: Price
  readonly min?: Price
  readonly sort?: 'price' | 'price_descending' | 'rating' | 'delivery'
  readonly merchant?: string
  readonly without?: readonly string[]
}

type Search = Terms & { readonly options?: Options; readonly quantity?: number }
type Refine = Terms & { readonly cheaper?: true; readonly more?: true; readonly options?: Options }
type Adjust = { readonly quantity?: number; readonly options?: Options; readonly which?: Which }
type Buy = Adjust & { readonly query?: string; readonly max?: Price; readonly merchant?: string }

type Wish =
  | ({ readonly action: 'search'; readonly query: string } & Search)
  | ({ readonly action: 'refine' } & Refine)
  | { readonly action: 'compare'; readonly by: 'price' | 'rating' | 'delivery' }
  | { readonly action: 'show'; readonly which: Which; readonly options?: Options }
  | ({ readonly action: 'buy' } & Buy)
  | ({ readonly action: 'adjust' } & Adjust)
  | { readonly action: 'follow' | 'cancel' | 'return' | 'why' | 'retry'; readonly which?: Which }
  | { readonly action: 'yes' | 'no' | 'greet' | 'thank' | 'help' | 'unclear' }
  | { readonly action: 'refuse'; readonly what?: 'address' | 'card' | 'limit' | 'person' }

/** What a message may depend on besides its words. */
export type Spoken = {
  readonly language?: string
  readonly shown?: readonly string[]
  readonly asked?: 'color' | 'size' | 'material' | 'quantity' | 'whether'
  readonly hasSubject?: true
  readonly hasPurchase?: true
}

/** Without `spoken` it is the first message of a thread, whose language nobody knows; with it, the thread speaks the language of its file. */
export type Said = {
  readonly says: string
  readonly spoken?: Spoken
  readonly means: readonly Wish[]
  /** Other readings that are right as well. */
  readonly or?: readonly (readonly Wish[])[]
}

export const kinds = [
  'search',
  'capped',
  'options',
  'refine',
  'quantity',
  'reference',
  'compare',
  'buy',
  'change',
  'two',
  'answer',
  'after',
  'refusal',
  'not_buying',
  'yes_no',
  'small_talk',
  'slang',
  'typos',
  'letters',
  'polite',
  'dictation',
  'currency',
] as const

type Kind = (typeof kinds)[number]

/** One that stands alone. */
export type FreshSaid = Said & { readonly kind: Kind }

export type Utterances = Readonly<Record<Kind, readonly Said[]>>

export const money = (amount: number, currency: string | null): Price => ({ amount, currency })

export const place = (number: number): Which => ({ by: 'place', place: number })
export const words = (text: string): Which => ({ by: 'words', words: text })
export const extreme = (which: 'cheapest' | 'dearest' | 'best_rated' | 'fastest'): Which => ({
  by: 'extreme',
  extreme: which,
})
export const optioned: Which = { by: 'options' }
export const it: Which = { by: 'it' }

export const search = (query: string, more: Search = {}): Wish => ({ action: 'search', query, ...more })
export const refine = (more: Refine): Wish => ({ action: 'refine', ...more })
export const compare = (by: 'price' | 'rating' | 'delivery'): Wish => ({ action: 'compare', by })
export const show = (which: Which, options?: Options): Wish => ({
  action: 'show',
  which,
  ...(options && { options }),
})
export const buy = (more: Buy = {}): Wish => ({ action: 'buy', ...more })
export const adjust = (more: Adjust): Wish => ({ action: 'adjust', ...more })
export const refuse = (what?: 'address' | 'card' | 'limit' | 'person'): Wish => ({
  action: 'refuse',
  ...(what && { what }),
})

export const yes: Wish = { action: 'yes' }
export const no: Wish = { action: 'no' }
export const follow: Wish = { action: 'follow' }
export const cancel: Wish = { action: 'cancel' }
export const giveBack: Wish = { action: 'return' }
export const why: Wish = { action: 'why' }
export const retry: Wish = { action: 'retry' }
export const greet: Wish = { action: 'greet' }
export const thank: Wish = { action: 'thank' }
export const help: Wish = { action: 'help' }
export const unclear: Wish = { action: 'unclear' }

/** Who asks for advice before buying may be shown the thing, be told which is better, or be asked back: only not bought for. */
export const advice: readonly (readonly Wish[])[] = [
  [compare('rating')],
  [compare('price')],
  [help],
  [refuse()],
  [unclear],
]
/** What was said of the past is no wish. */
export const noWish: readonly (readonly Wish[])[] = [[unclear], [follow], [no], [refuse()], [help]]
