import { isObject } from './schema-node.ts'

export type JsonSchema = { [keyword: string]: unknown }

/** Called for every schema, from the inside out, with what was declared; its result replaces the schema. */
type Visit = (
  schema: JsonSchema,
  componentName: string | undefined,
  declared: Readonly<Record<string, unknown>>,
) => JsonSchema

/**
 * A typebox schema as plain JSON Schema, for readers that know nothing of ours: without our own keywords, records as
 * `additionalProperties`, members in the order in which they were declared.
 */
export function toJsonSchema(schema: unknown, visit: Visit = (each) => each): JsonSchema {
  if (schema === true || schema === undefined) return {}
  if (!isObject(schema)) throw new Error('a schema is an object')
  const plain: JsonSchema = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (isOurs(keyword) || value === undefined) continue
    if (keyword === 'patternProperties')
      Object.assign(plain, { additionalProperties: recordValue(value, visit) })
    else if (keyword === 'properties' && isObject(value)) plain.properties = mapValues(value, visit)
    else if (holdsSchema(keyword) && isObject(value)) plain[keyword] = toJsonSchema(value, visit)
    else if (holdsSchemas(keyword) && Array.isArray(value))
      plain[keyword] = value.map((each) => toJsonSchema(each, visit))
    else plain[keyword] = value
  }
  const name = schema['x-component']
  return visit(plain, typeof name === 'string' ? name : undefined, schema)
}

const ourKeywords: ReadonlySet<string> = new Set([
  'x-component',
  'x-about',
  'x-id',
  'x-amount',
  'x-clears',
  'x-closed',
  'x-tells',
  'x-rules',
  'noCardNumber',
])

function isOurs(keyword: string): boolean {
  return keyword.startsWith('~') || ourKeywords.has(keyword)
}

function holdsSchema(keyword: string): boolean {
  return keyword === 'items' || keyword === 'additionalProperties' || keyword === 'propertyNames'
}

function holdsSchemas(keyword: string): boolean {
  return keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'allOf'
}

function mapValues(properties: Record<string, unknown>, visit: Visit): JsonSchema {
  return Object.fromEntries(
    Object.entries(properties).map(([name, each]) => [name, toJsonSchema(each, visit)]),
  )
}

/** The only key pattern that schemas may use is "any key"; see `readSchema`. */
function recordValue(patterns: unknown, visit: Visit): JsonSchema {
  return toJsonSchema(isObject(patterns) ? Object.values(patterns)[0] : undefined, visit)
}
