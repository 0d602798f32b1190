import type { Static, TProperties } from 'typebox'

/** The side that receives a webhook: a merchant, about what concerns it, or a buyer's account, about its own objects. */
export const audiences = ['merchant', 'buyer'] as const
export type Audience = (typeof audiences)[number]

/** The members of `data`, with their schemas. */
export type EventData = TProperties

/** A type of event: what has happened, to what, and which audiences can receive it. */
export type EventFacts = {
  /** One sentence, past tense. */
  readonly summary: string
  /** The members of a webhook's `data`, for each audience that can subscribe to it. */
  readonly merchant?: EventData
  readonly buyer?: EventData
  /** The members of `data` where it is sent to one destination, whatever that subscribes to. */
  readonly oneDestination?: EventData
  /** The change itself makes the delivery to a merchant, because somebody waits for the answer; the relay makes none. */
  readonly isSentAtOnce?: true
  /**
   * `data` for the buyer, made from the object and the aggregate's id; the same bytes each time. Without it `data` has one member, the
   * object, under the name of the type's family.
   */
  readonly buyerData?: (object: never, aggregateId: string) => Record<string, unknown>
}

/** A type of event whose object is an `Obj`. */
type EventDefinition<Obj, Merchant = never> = EventFacts & {
  /** Only for the types: it never has a value. */
  objectType?(object: Obj): Obj
  merchantType?(data: Merchant): Merchant
}

export type EventDefinitions = Readonly<Record<string, EventFacts>>

type DataOf<M> = M extends EventData ? { [Name in keyof M]: Static<M[Name]> } : never

/** Defines one type of event. Its object is what REST renders after the change, without secrets. */
export function defineEvent<Obj extends object>() {
  return <const F extends EventFacts>(
    facts: F,
  ): EventDefinition<Obj, DataOf<F['merchant'] | F['oneDestination']>> => facts
}

type ObjectIn<D> = D extends EventDefinition<infer Obj, infer _> ? Obj : never
type MerchantDataIn<D> = D extends EventDefinition<infer _, infer Merchant> ? Merchant : never

/** What emitting needs to know about definitions: see `Events`. */
export type TypesOf<Definitions> = {
  [Type in keyof Definitions]: {
    object: ObjectIn<Definitions[Type]>
    merchant: MerchantDataIn<Definitions[Type]>
  }
}

/** Every type of event. Each slice adds its own here, by declaration merging in its `events.ts`. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the slices
export interface Events {}

export type EventType = keyof Events & string

export type ObjectOf<T extends EventType> = Events[T]['object']
export type MerchantDataOf<T extends EventType> = Events[T]['merchant']

/** The types of all slices: the composition makes it, and passes it to slices that need to know all of them. */
export type EventCatalog = {
  readonly types: ReadonlyMap<string, EventFacts>
  /** The types that a destination of this audience can subscribe to, in the order in which they are shown. */
  readonly subscribable: Readonly<Record<Audience, readonly string[]>>
}

export function eventCatalog(definitions: readonly EventDefinitions[]): EventCatalog {
  const types = new Map<string, EventFacts>()
  for (const some of definitions) {
    for (const [type, facts] of Object.entries(some)) {
      if (types.has(type)) throw new Error(`two slices have an event ${type}`)
      types.set(type, facts)
    }
  }
  const of = (audience: Audience): string[] =>
    [...types].flatMap(([type, facts]) => (facts[audience] ? [type] : []))
  return { types, subscribable: { merchant: of('merchant'), buyer: of('buyer') } }
}

/** `order` of `order.confirmed`. */
export function familyOf(type: string): string {
  return type.slice(0, type.indexOf('.'))
}
