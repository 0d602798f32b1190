import Type, { type TObject, type TProperties, type TSchema } from 'typebox'
import { type IdPrefix, idPattern } from '../core/id.ts'

/** A closed object: unknown members are refused. */
export function Closed<P extends TProperties>(properties: P, options: object = {}): TObject<P> {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

/** What a change may write: all of it may be left out, and null clears what can be empty. */
export function Changes<P extends TProperties>(properties: P, options: object = {}) {
  return Type.Partial(Closed(properties), { additionalProperties: false, 'x-clears': true, ...options })
}

/** A schema that OpenAPI shows as a named component. */
export function Named<T extends TSchema>(name: string, schema: T): T {
  return { ...schema, 'x-component': name }
}

/** A closed string enumeration. */
export function OneOf<const V extends string[]>(values: readonly [...V], options: object = {}) {
  return Type.Enum(values, { type: 'string', ...options })
}

/** An id in a response. */
export function IdOf(prefix: IdPrefix) {
  return Type.String({ pattern: idPattern(prefix), examples: [`${prefix}_01jb2w9m4ye6xs3kq8t7v5c0zd`] })
}

/** An id in a request: opaque, any short string, since an id that never existed answers 404 and not 422. */
export function IdParam(description: string) {
  return Type.String({ minLength: 1, maxLength: 255, description, 'x-id': true })
}

/** Minor units of a currency, 0 to 10^12. */
export function Amount(description = 'Minor units of the currency.') {
  return Type.Integer({ minimum: 0, maximum: 1_000_000_000_000, description })
}

export const CurrencyCode = Type.String({
  format: 'currency',
  description: 'ISO 4217, any case; returned upper case.',
})
export const CountryCode = Named(
  'CountryCode',
  Type.String({ format: 'country', description: 'ISO 3166-1 alpha-2.' }),
)
export const Timestamp = Type.String({ format: 'date-time', description: 'RFC 3339, UTC.' })
export const ModeSchema = OneOf(['test', 'live'])

/** Up to 50 string pairs that belong to the caller. */
export const Metadata = Type.Record(Type.String(), Type.String({ maxLength: 1000, noCardNumber: true }), {
  maxProperties: 50,
  propertyNames: Type.String({ minLength: 1, maxLength: 64, noCardNumber: true }),
  description: 'Up to 50 string pairs; ours to keep, yours to read.',
})

/** A person's or thing's name: text that must not hold a card number. */
export function Text(maxLength: number, options: object = {}) {
  return Type.String({ minLength: 1, maxLength, noCardNumber: true, ...options })
}

export function Nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()])
}

/** What every object has. */
export function objectHead<P extends IdPrefix, N extends string>(prefix: P, noun: N) {
  return {
    id: IdOf(prefix),
    object: Type.Literal(noun),
    mode: ModeSchema,
    created_at: Timestamp,
    updated_at: Timestamp,
  }
}

/** A page of a list. */
export function ListOf<T extends TSchema>(item: T, name?: string) {
  const list = Closed({
    object: Type.Literal('list'),
    data: Type.Array(item),
    total: Type.Integer({ minimum: 0, description: 'Exact to 10,000.' }),
    total_capped: Type.Optional(Type.Literal(true)),
    limit: Type.Integer({ minimum: 1 }),
    offset: Type.Integer({ minimum: 0 }),
    has_more: Type.Boolean(),
  })
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
        description: 'How many to answer at most.',
      }),
    ),
    offset: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
        description: 'How many to pass over.',
      }),
    ),
  }
}

/** Case-insensitive search over the names, ids and references that a person would type. */
export const Search = Type.String({
  minLength: 1,
  maxLength: 255,
  description: 'Text within names, ids or references, in any case.',
})

/** What a list is narrowed by. */
export function Filter<T extends TSchema>(schema: T, description: string) {
  return Type.Optional({ ...schema, description })
}
