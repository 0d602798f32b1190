import fc, { type Arbitrary } from 'fast-check'
import { isObject } from '../../../src/schema/schema-node.ts'

export type Schema = Readonly<Record<string, unknown>>
type Resolve = (schema: Schema) => Schema

const itemsMade = 3
const textMade = 24
const numberMade = 2 ** 40

/**
 * Values of a JSON Schema as a client would make them from the document alone: by types, bounds, patterns, lists and examples. Formats
 * have no meaning here, and a validator throws away values that break clauses between members.
 */
export function madeFrom(given: Schema, resolve: Resolve): Arbitrary<unknown> {
  const schema = resolve(given)
  if ('const' in schema) return fc.constant(schema.const)
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum)
  const variants = schemasIn(schema.anyOf ?? schema.oneOf)
  const isUnion = variants.length > 0 && schema.type === undefined
  if (isUnion) return fc.oneof(...variants.map((variant) => madeFrom(variant, resolve)))
  const examples = Array.isArray(schema.examples) ? schema.examples : []
  const types = [schema.type].flat().filter((type) => typeof type === 'string')
  const made = types.map((type) => ofType(type, schema, resolve))
  if (made.length === 0) return fc.constantFrom('any', 1, true, null)
  if (examples.length === 0) return fc.oneof(...made)
  return fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...examples) },
    { weight: 1, arbitrary: fc.oneof(...made) },
  )
}

export function schemasIn(value: unknown): Schema[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}

function ofType(type: string, schema: Schema, resolve: Resolve): Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer({
        min: numberIn(schema, 'minimum') ?? -numberMade,
        max: numberIn(schema, 'maximum') ?? numberMade,
      })
    case 'number':
      return numberOf(schema)
    case 'string':
      return textOf(schema)
    case 'array':
      return listOf(schema, resolve)
    case 'object':
      return objectOf(schema, resolve)
    default:
      throw new Error(`the type ${type} is none of JSON Schema`)
  }
}

function numberOf(schema: Schema): Arbitrary<number> {
  const above = numberIn(schema, 'exclusiveMinimum')
  const min = above ?? numberIn(schema, 'minimum') ?? -numberMade
  const max = numberIn(schema, 'maximum') ?? numberMade
  return fc.double({ min, max, minExcluded: above !== undefined, noNaN: true, noDefaultInfinity: true })
}

function textOf(schema: Schema): Arbitrary<string> {
  const minLength = numberIn(schema, 'minLength') ?? 0
  const maxLength = Math.min(numberIn(schema, 'maxLength') ?? 1000, minLength + textMade)
  const pattern = typeof schema.pattern === 'string' ? new RegExp(schema.pattern, 'u') : null
  const free = fc
    .string({ unit: 'grapheme', minLength, maxLength })
    .filter(
      (text) => lengthOf(text) >= minLength && lengthOf(text) <= (numberIn(schema, 'maxLength') ?? 1000),
    )
  if (pattern === null) return free
  // A pattern that ordinary words match restricts little: any text that matches will do.
  if (['lamp', 'A b', '7'].every((word) => pattern.test(word)))
    return free.filter((text) => pattern.test(text))
  const longest = numberIn(schema, 'maxLength') ?? Number.POSITIVE_INFINITY
  return fc
    .stringMatching(pattern)
    .filter((text) => lengthOf(text) >= minLength && lengthOf(text) <= longest && pattern.test(text))
}

/** In characters, as JSON Schema counts them. */
function lengthOf(text: string): number {
  return [...text].length
}

function listOf(schema: Schema, resolve: Resolve): Arbitrary<unknown[]> {
  const minLength = numberIn(schema, 'minItems') ?? 0
  const maxLength = Math.min(numberIn(schema, 'maxItems') ?? itemsMade, Math.max(minLength, itemsMade))
  const items = madeFrom(isObject(schema.items) ? schema.items : {}, resolve)
  if (schema.uniqueItems !== true) return fc.array(items, { minLength, maxLength })
  return fc.uniqueArray(items, { minLength, maxLength, selector: (item) => JSON.stringify(item) })
}

function objectOf(schema: Schema, resolve: Resolve): Arbitrary<unknown> {
  const { properties, required, additionalProperties: more } = schema
  const members = Object.entries(isObject(properties) ? properties : {}).flatMap(([name, member]) =>
    isObject(member) ? [[name, madeFrom(member, resolve)] as const] : [],
  )
  const requiredKeys = Array.isArray(required) ? required.map(String) : []
  const fixed = fc.record(Object.fromEntries(members), { requiredKeys, noNullPrototype: true })
  if (!isObject(more) || members.length > 0) return fixed
  const keys = madeFrom(
    isObject(schema.propertyNames) ? schema.propertyNames : { type: 'string', minLength: 1 },
    resolve,
  )
  const banned = isObject(schema.propertyNames) ? schema.propertyNames.not : undefined
  const names = isObject(banned) && Array.isArray(banned.enum) ? banned.enum : []
  return fc.dictionary(
    keys.map(String).filter((key) => !names.includes(key)),
    madeFrom(more, resolve),
    { minKeys: numberIn(schema, 'minProperties') ?? 0, maxKeys: itemsMade, noNullPrototype: true },
  )
}

function numberIn(schema: Schema, keyword: string): number | undefined {
  const value = schema[keyword]
  return typeof value === 'number' ? value : undefined
}

/** One change inside: another type, a text that is empty or endless, a member too many or too few. */
export function spoiled(value: Arbitrary<unknown>): Arbitrary<unknown> {
  return fc
    .tuple(value, fc.array(fc.nat(1000), { minLength: 6, maxLength: 6 }), odd)
    .map(([whole, way, other]) => spoil(whole, way, other))
}

const odd = fc.constantFrom<unknown>(
  '',
  'x'.repeat(3000),
  'a\u0000b',
  -1,
  1.5,
  2 ** 50,
  true,
  [],
  {},
  ['x'],
  { a: 1 },
)

function spoil(value: unknown, [turn = 0, ...way]: readonly number[], other: unknown): unknown {
  if (Array.isArray(value) && value.length > 0 && way.length > 0) {
    const at = turn % value.length
    return value.map((each, index) => (index === at ? spoil(each, way, other) : each))
  }
  if (!isObject(value) || way.length === 0) return other
  const names = Object.keys(value)
  const choice = turn % (names.length + 2)
  const name = names[choice]
  if (name === undefined) return choice === names.length ? { ...value, unknown_member: other } : other
  if (turn % 5 === 0) return Object.fromEntries(Object.entries(value).filter(([each]) => each !== name))
  return { ...value, [name]: spoil(value[name], way, other) }
}
