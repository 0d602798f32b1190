import type { TSchema } from 'typebox'
import type { JsonSchema } from './json-schema.ts'

/**
 * A schema with the rules that its values must follow beyond it: `rules` are the sentences with which a request that breaks one is
 * refused, and `clauses` express what JSON Schema can of them. The document shows both; the handler checks them, since tools take plain
 * schemas only. `{name}` in a rule stands for a value that the refusal fills in.
 */
export function Ruled<T extends TSchema>(
  schema: T,
  rules: Readonly<Record<string, string>>,
  clauses: readonly JsonSchema[] = [],
): T {
  const before: {
    readonly 'x-rules'?: readonly string[]
    readonly 'x-tells'?: { allOf: readonly JsonSchema[] }
  } = schema
  const told = [...(before['x-tells']?.allOf ?? []), ...clauses]
  return {
    ...schema,
    'x-rules': [...(before['x-rules'] ?? []), ...Object.values(rules)],
    ...(told.length > 0 ? { 'x-tells': { allOf: told } } : {}),
  }
}

/** The sentence of a rule as a refusal has it. */
export function filled(rule: string, values: Readonly<Record<string, string | number>>): string {
  return rule.replaceAll(/\{(\w+)\}/g, (place, name: string) => String(values[name] ?? place))
}

type Kind = 'string' | 'integer' | 'number' | 'boolean' | 'object' | 'array'

/** The member exists and is not null. */
export function given(name: string, type: Kind = 'string'): JsonSchema {
  return { required: [name], properties: { [name]: { type } } }
}

/** The list exists and is not empty. */
export function some(name: string): JsonSchema {
  return { required: [name], properties: { [name]: { type: 'array', minItems: 1 } } }
}

/** Exactly one of these members. */
export function exactlyOne(members: Readonly<Record<string, Kind>>): JsonSchema {
  return { oneOf: Object.entries(members).map(([name, type]) => given(name, type)) }
}

export function atLeastOne(members: Readonly<Record<string, Kind>>): JsonSchema {
  return { anyOf: Object.entries(members).map(([name, type]) => given(name, type)) }
}

/** Where the first condition holds, the second must hold too. */
export function whenThen(condition: JsonSchema, consequence: JsonSchema): JsonSchema {
  // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema.
  return { if: condition, then: consequence }
}

/** The member has this value. */
export function says(name: string, value: string | boolean): JsonSchema {
  return { required: [name], properties: { [name]: { const: value } } }
}

export function not(schema: JsonSchema): JsonSchema {
  return { not: schema }
}
