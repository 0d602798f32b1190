import type { JsonSchema } from '../schema/json-schema.ts'
import { isObject } from '../schema/schema-node.ts'

/** A schema for requests, which are checked against it, or for answers: a request is closed, an answer is not. */
export type SchemaSide = 'request' | 'answer'

/** One schema whose members are converted already, in the form of its side. */
export function shownOn(side: SchemaSide, schema: JsonSchema): JsonSchema {
  return side === 'request' ? withNulls(schema) : opened(schema)
}

/** Clients ignore members that they do not know: a later version may add members to answers. */
export function opened(schema: JsonSchema): JsonSchema {
  if (schema.additionalProperties !== false) return schema
  const { additionalProperties: _, ...open } = schema
  return open
}

/** A null in a member that may be left out means that it is left out. */
function withNulls(schema: JsonSchema): JsonSchema {
  if (!isObject(schema.properties)) return schema
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : []
  const properties = Object.entries(schema.properties).map(([name, member]) => [
    name,
    required.includes(name) || !isObject(member) ? member : orNull(member),
  ])
  return { ...schema, properties: Object.fromEntries(properties) }
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type, const: only, enum: values, anyOf } = schema
  if (Array.isArray(anyOf)) return anyOf.some(isNull) ? schema : { ...schema, anyOf: [...anyOf, aNull] }
  if (typeof type !== 'string') {
    const { description, ...rest } = schema
    const isAny = Object.keys(rest).length === 0
    return isAny ? schema : { ...(description === undefined ? {} : { description }), anyOf: [rest, aNull] }
  }
  const listed = only === undefined ? values : [only]
  if (!Array.isArray(listed)) return { ...schema, type: [type, 'null'] }
  const { const: _, ...rest } = schema
  return { ...rest, type: [type, 'null'], enum: [...listed, null] }
}

const aNull: JsonSchema = { type: 'null' }

function isNull(schema: unknown): boolean {
  return isObject(schema) && schema.type === 'null'
}
