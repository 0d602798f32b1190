import Type, { type TObject, type TProperties, type TSchema } from 'typebox'
import { type IdPrefix, idPattern } from '../core/id.ts'
import { exampleId } from './examples.ts'

/** A closed object: unknown members are refused. */
export function Closed<P extends TProperties>(properties: P, options: object = {}): TObject<P> {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

/** The fields of a change: each may be left out, and null clears a field that can be empty. */
export function Changes<P extends TProperties>(properties: P, options: object = {}) {
  return Type.Partial(Closed(properties), { additionalProperties: false, 'x-clears': true, ...options })
}

/** A schema that OpenAPI shows as a named component. */
export function Named<T extends TSchema>(name: string, schema: T): T {
  // Another description may stand beside it where it is used; this one stays the component's.
  return { ...schema, 'x-component': name, 'x-about': descriptionOf(schema) }
}

/** The same schema with a description for this place. */
export function Described<T extends TSchema>(schema: T, description: string): T {
  return { ...schema, description }
}

function descriptionOf(schema: TSchema): string | undefined {
  return textOf('description' in schema ? schema.description : undefined)
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** A closed string enumeration. */
export function OneOf<const V extends string[]>(values: readonly [...V], options: object = {}) {
  return Type.Enum(values, { type: 'string', ...options })
}

/** An id in a response. */
export function IdOf(prefix: IdPrefix, description?: string) {
  return Type.String({
    pattern: idPattern(prefix),
    examples: [exampleId(prefix)],
    ...(description === undefined ? {} : { description }),
  })
}

/**
 * An id in a request: opaque, any short string, since an id that never existed answers 404 and not 422. The prefix is the one in the
 * example; none where several kinds of objects can be named.
 */
export function IdParam(description: string, prefix?: IdPrefix) {
  const examples = prefix === undefined ? {} : { examples: [exampleId(prefix)] }
  return Type.String({ minLength: 1, maxLength: 255, description, 'x-id': true, ...examples })
}

/**
 * Minor units of a currency, 0 to 10^12. The description names the amount, says whether it is of one unit or in all, and that it is in
 * minor units.
 */
export function Amount(description = 'An amount in minor units (1999 is $19.99).') {
  return Type.Integer({ minimum: 0, maximum: 1_000_000_000_000, description, 'x-amount': true })
}

/** The same for an amount that is never 0. */
export function PositiveAmount(description: string) {
  return Type.Integer({ ...Amount(description), minimum: 1 })
}

export const CurrencyCode = Type.String({
  format: 'currency',
  description: 'ISO 4217 currency code, such as USD.',
})
export const CountryCode = Named(
  'CountryCode',
  Type.String({ format: 'country', description: 'ISO 3166-1 alpha-2 country code, such as US.' }),
)
/** A time in an answer, or one that a request names. */
export function At(description: string) {
  return Type.String({ format: 'date-time', description })
}
export const ModeSchema = OneOf(['test', 'live'], {
  description: 'The mode of the API key: `test` or `live`.',
})

/** Up to 50 string pairs that belong to the caller. */
export const Metadata = Type.Record(Type.String(), Type.String({ maxLength: 1000, noCardNumber: true }), {
  maxProperties: 50,
  propertyNames: Type.String({ minLength: 1, maxLength: 64, noCardNumber: true }),
  description: 'Up to 50 string pairs of your own.',
})

/** A person's or thing's name: text that must not hold a card number. */
export function Text(maxLength: number, options: object = {}) {
  // guard texts-are-looked-at: a card number in a name, a note or a label is refused
  return Type.String({ minLength: 1, maxLength, noCardNumber: true, ...options })
}

/** This schema, or null. One description covers both. */
export function Nullable<T extends TSchema>(schema: T) {
  const description = descriptionOf(schema)
  const about = textOf('x-about' in schema ? schema['x-about'] : undefined)
  if (description === about) return Type.Union([schema, Type.Null()])
  return Type.Union(
    [{ ...schema, description: about }, Type.Null()],
    description === undefined ? {} : { description },
  )
}

/** The members that every object has. */
export function objectHead<P extends IdPrefix, N extends string>(prefix: P, noun: N) {
  return {
    id: IdOf(prefix, 'The id of this object.'),
    object: Type.Literal(noun, { description: 'The type of this object.' }),
    mode: ModeSchema,
    created_at: At('When it was created.'),
    updated_at: At('When it last changed.'),
  }
}

/** A page of a list. */
export function ListOf<T extends TSchema>(item: T, name?: string) {
  const list = Closed(
    {
      object: Type.Literal('list', { description: 'The type of this object.' }),
      data: Type.Array(item, { description: 'The entries of this page.' }),
      total: Type.Integer({
        minimum: 0,
        description: 'How many entries there are on all pages, counted up to 10,000.',
      }),
      total_capped: Type.Optional(
        Type.Literal(true, { description: 'There are more than 10,000 entries: `total` is not exact.' }),
      ),
      limit: Type.Integer({ minimum: 1, description: 'The most entries that a page holds.' }),
      offset: Type.Integer({ minimum: 0, description: 'How many entries were skipped before this page.' }),
      has_more: Type.Boolean({ description: 'Whether more entries follow this page.' }),
    },
    { description: 'A page of a list.' },
  )
  return name ? Named(name, list) : list
}

/** `limit` and `offset` as the interface fixes them. */
export function Page(limitDefault: number, limitMax: number) {
  return {
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: limitMax,
        default: limitDefault,
        description: 'The most entries to return.',
      }),
    ),
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
        description: 'How many entries to skip.',
      }),
    ),
  }
}

/** Case-insensitive search over the names, ids and references that a person would type. */
export const Search = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'Text in names, ids and references, in any case.',
})

/** A filter of a list. */
export function Filter<T extends TSchema>(schema: T, description: string) {
  return Type.Optional({ ...schema, description })
}
