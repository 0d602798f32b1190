import { formatShapes } from '../schema/format-shapes.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { isObject } from '../schema/schema-node.ts'
import type { SchemaSide } from './sides.ts'

/** The schema as it was declared, including our own keywords. */
type Declared = Readonly<Record<string, unknown>>

/**
 * One schema whose members are converted already, for readers who do not know our formats: JSON Schema keywords where they exist, and a
 * sentence for the rest.
 */
export function documentSchema(side: SchemaSide, schema: JsonSchema, declared: Declared): JsonSchema {
  const steps = [withShape, withoutNul, withoutPoison, withSpokenDefault]
  return [...steps, ...(side === 'request' ? [withRules] : [])].reduce(
    (shown, step) => step(shown, declared),
    schema,
  )
}

/** Adds the patterns and lengths of formats. What the schema declares itself stays. */
function withShape(schema: JsonSchema): JsonSchema {
  const shape = typeof schema.format === 'string' ? formatShapes.get(schema.format) : undefined
  if (shape === undefined) return schema
  const { pattern, minLength, maxLength, examples } = shape
  return { pattern, minLength, maxLength, examples: [...examples], ...schema }
}

/** No string contains a NUL: databases and many languages cannot hold it. */
function withoutNul(schema: JsonSchema): JsonSchema {
  const isFree =
    schema.type === 'string' && ['pattern', 'enum', 'const', 'format'].every((key) => !(key in schema))
  return isFree ? { ...schema, pattern: '^[^\\x00]*$' } : schema
}

/** Keys that poison objects in some languages are refused wherever callers choose the keys. */
function withoutPoison(schema: JsonSchema): JsonSchema {
  if (!isObject(schema.propertyNames)) return schema
  return { ...schema, propertyNames: { ...schema.propertyNames, not: { enum: [...poisonousKeys] } } }
}

const poisonousKeys = ['__proto__', 'constructor', 'prototype']

/** In the description and not declared as `default`: generators treat a member with a default as always present, in requests too. */
function withSpokenDefault(schema: JsonSchema): JsonSchema {
  if (!('default' in schema)) return schema
  const { default: value, ...rest } = schema
  const said = typeof schema.description === 'string' ? schema.description : ''
  if (/default/i.test(said)) return rest
  return { ...rest, description: `${said}${said === '' ? '' : ' '}Default: \`${JSON.stringify(value)}\`.` }
}

/** The rules of a request beyond its types: as sentences, and as clauses where JSON Schema has them. */
function withRules(schema: JsonSchema, { 'x-tells': clauses, 'x-rules': rules }: Declared): JsonSchema {
  const said = Array.isArray(rules) && rules.length > 0 ? { 'x-rules': [...rules] } : {}
  return { ...schema, ...(isObject(clauses) ? clauses : {}), ...said }
}

/** A string of an answer from a list that may grow: known values by name, others as text. */
export function openEnum(shown: JsonSchema, values: readonly unknown[], description: unknown): JsonSchema {
  const said = typeof description === 'string' ? `${description} ` : ''
  return {
    anyOf: [shown, { type: 'string' }],
    'x-extensible-enum': [...values],
    description: `${said}Values may be added: take one that you do not know for text.`,
  }
}

/** Whether a schema lists strings to which later versions may add more. */
export function isExtensible(schema: JsonSchema, declared: Declared): boolean {
  return (
    Array.isArray(schema.enum) &&
    schema.enum.length > 1 &&
    schema.type === 'string' &&
    declared['x-closed'] !== true
  )
}
