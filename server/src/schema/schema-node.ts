import type { TSchema } from 'typebox'
import { looksLikeCardNumber } from './card-number.ts'
import { knownFormats } from './formats.ts'
import { isWrittenWithDecimals } from './number-spelling.ts'

export type Scalar = string | number | boolean | null

type Refinement = { check: (value: unknown) => boolean; error: (value: unknown) => string }

export type StringNode = {
  kind: 'string'
  minLength: number | undefined
  maxLength: number | undefined
  pattern: string | undefined
  format: string | undefined
  noCardNumber: boolean
}
export type NumberNode = {
  kind: 'integer' | 'number'
  minimum: number | undefined
  maximum: number | undefined
  exclusiveMinimum: number | undefined
  exclusiveMaximum: number | undefined
  multipleOf: number | undefined
  /** An amount of money, in minor units. */
  isAmount: boolean
}
export type ArrayNode = {
  kind: 'array'
  items: SchemaNode
  minItems: number | undefined
  maxItems: number | undefined
  uniqueItems: boolean
}
export type ObjectNode = {
  kind: 'object'
  properties: ReadonlyMap<string, { node: SchemaNode; required: boolean }>
  /** The schema of keys that `properties` does not name; undefined means that there may be none. */
  extras: SchemaNode | undefined
  keys: SchemaNode | undefined
  minProperties: number | undefined
  maxProperties: number | undefined
  /** It contains no card number, however deep. */
  noCardNumber: boolean
}
export type ChoiceNode = { kind: 'choice'; values: readonly Scalar[]; literal: boolean }
export type UnionNode = { kind: 'union'; variants: readonly SchemaNode[]; exclusive: boolean }

/** A JSON Schema reduced to what this product uses. Both the compiled check and the error report are made from it. */
export type SchemaNode =
  | { kind: 'any' }
  | { kind: 'boolean' }
  | { kind: 'null' }
  | StringNode
  | NumberNode
  | ArrayNode
  | ObjectNode
  | ChoiceNode
  | UnionNode
  | { kind: 'all'; parts: readonly SchemaNode[] }
  | { kind: 'refined'; refinements: readonly Refinement[] }

/**
 * Reads a schema, and throws on everything that it does not understand: a misspelled keyword, an unknown format or a `$ref` would
 * otherwise silently accept every value.
 */
export function readSchema(schema: unknown, path = '#'): SchemaNode {
  if (schema === true) return { kind: 'any' }
  if (!isObject(schema)) throw new Error(`schema at ${path} is not an object`)
  refuseUnknownKeywords(schema, path)
  const choices = readChoices(schema, path)
  const parts = [
    // A type beside listed values adds nothing to them, and would report a wrong value twice.
    ...(choices.length > 0 ? choices : readTypes(schema, path)),
    ...readCombinations(schema, path),
    ...readRefinements(schema),
  ]
  const [only] = parts
  if (only === undefined) return { kind: 'any' }
  return parts.length === 1 ? only : { kind: 'all', parts }
}

/** The plain JSON Schema from which typebox compiles the check. */
export function toCompilable(node: SchemaNode): TSchema {
  switch (node.kind) {
    case 'any':
      return {}
    case 'boolean':
    case 'null':
      return { type: node.kind }
    case 'string': {
      const { kind, noCardNumber, ...rules } = node
      return defined({ type: kind, ...rules, '~refine': noCardNumber ? [NO_CARD_NUMBER] : undefined })
    }
    case 'integer':
    case 'number': {
      const { kind, isAmount: _, ...rules } = node
      return defined({ type: kind, ...rules })
    }
    case 'array': {
      const { kind, items, ...rules } = node
      return defined({ type: kind, items: toCompilable(items), ...rules })
    }
    case 'object':
      return compilableObject(node)
    case 'choice':
      return { enum: node.values }
    case 'union':
      return { [node.exclusive ? 'oneOf' : 'anyOf']: node.variants.map(toCompilable) }
    case 'all':
      return { allOf: node.parts.map(toCompilable) }
    case 'refined':
      return { '~refine': node.refinements }
    default:
      return node satisfies never
  }
}

function compilableObject(node: ObjectNode): TSchema {
  const entries = [...node.properties]
  const known = new Set(node.properties.keys())
  // A Set lookup per key; typebox would match each key against a regular expression of all names.
  const closed = { check: (value: unknown) => hasOnlyKeys(value, known), error: () => 'extra' }
  const amounts = entries.filter(([, property]) => takesAmount(property.node)).map(([name]) => name)
  const inMinorUnits = { check: (value: unknown) => !hasDecimals(value, amounts), error: () => 'decimals' }
  const refinements = [
    ...(node.extras === undefined ? [closed] : []),
    ...(amounts.length > 0 ? [inMinorUnits] : []),
    ...(node.noCardNumber ? [NO_CARD_NUMBER_WITHIN] : []),
  ]
  return defined({
    type: 'object',
    required: entries.filter(([, property]) => property.required).map(([name]) => name),
    properties: Object.fromEntries(entries.map(([name, property]) => [name, toCompilable(property.node)])),
    propertyNames: node.keys === undefined ? undefined : toCompilable(node.keys),
    minProperties: node.minProperties,
    maxProperties: node.maxProperties,
    additionalProperties: node.extras === undefined ? undefined : toCompilable(node.extras),
    '~refine': refinements.length > 0 ? refinements : undefined,
  })
}

function hasOnlyKeys(value: unknown, known: ReadonlySet<string>): boolean {
  if (!isObject(value)) return false
  for (const key in value) if (!known.has(key)) return false
  return true
}

/** Whether a field holds an amount, where it is not null. */
export function takesAmount(node: SchemaNode): boolean {
  if (node.kind === 'union') return node.variants.some(takesAmount)
  if (node.kind === 'all') return node.parts.some(takesAmount)
  return (node.kind === 'integer' || node.kind === 'number') && node.isAmount
}

function hasDecimals(value: unknown, names: readonly string[]): boolean {
  return names.some((name) => isWrittenWithDecimals(value, name))
}

/** For any JSON that a caller may put into a field: whether a string, a number or a key in it looks like a card number. */
export function holdsCardNumber(value: unknown): boolean {
  if (typeof value === 'string') return looksLikeCardNumber(value)
  if (typeof value === 'number') return looksLikeCardNumber(String(value))
  // guard card-numbers-within: a card number deep in the details of a booking is refused
  if (Array.isArray(value)) return value.some(holdsCardNumber)
  if (!isObject(value)) return false
  return Object.entries(value).some(([key, each]) => looksLikeCardNumber(key) || holdsCardNumber(each))
}

const NO_CARD_NUMBER_WITHIN: Refinement = {
  check: (value) => !holdsCardNumber(value),
  error: () => 'card number',
}

const NO_CARD_NUMBER: Refinement = {
  check: (value) => typeof value === 'string' && !looksLikeCardNumber(value),
  error: () => 'card number',
}

const ANNOTATIONS: ReadonlySet<string> = new Set([
  '$id',
  '$schema',
  '$comment',
  'title',
  'description',
  'default',
  'examples',
  'example',
  'deprecated',
  'readOnly',
  'writeOnly',
])
const COMBINING: ReadonlySet<string> = new Set(['type', 'const', 'enum', 'anyOf', 'oneOf', 'allOf'])
const NUMERIC = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']
const KEYWORDS_OF: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern', 'format', 'noCardNumber'],
  integer: [...NUMERIC, 'format'],
  number: [...NUMERIC, 'format'],
  boolean: [],
  null: [],
  array: ['items', 'minItems', 'maxItems', 'uniqueItems'],
  object: [
    'properties',
    'required',
    'additionalProperties',
    'patternProperties',
    'propertyNames',
    'minProperties',
    'maxProperties',
    'noCardNumber',
  ],
}

function refuseUnknownKeywords(schema: Record<string, unknown>, path: string): void {
  const allowed = new Set(typeNames(schema).flatMap((type) => KEYWORDS_OF[type] ?? []))
  for (const key of Object.keys(schema)) {
    const ignored = key.startsWith('~') || key.startsWith('x-') || ANNOTATIONS.has(key)
    if (ignored || COMBINING.has(key) || allowed.has(key)) continue
    throw new Error(`schema keyword "${key}" at ${path} is unknown, or needs its "type" beside it`)
  }
}

function typeNames(schema: Record<string, unknown>): string[] {
  if (schema.type === undefined) return []
  const names: unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type]
  return names.map(String)
}

function readTypes(schema: Record<string, unknown>, path: string): SchemaNode[] {
  const nodes = typeNames(schema).map((type) => readType(type, schema, path))
  return nodes.length > 1 ? [{ kind: 'union', variants: nodes, exclusive: false }] : nodes
}

function readType(type: string, schema: Record<string, unknown>, path: string): SchemaNode {
  switch (type) {
    case 'boolean':
    case 'null':
      return { kind: type }
    case 'integer':
    case 'number':
      return {
        kind: type,
        minimum: numberIn(schema, 'minimum', path),
        maximum: numberIn(schema, 'maximum', path),
        exclusiveMinimum: numberIn(schema, 'exclusiveMinimum', path),
        exclusiveMaximum: numberIn(schema, 'exclusiveMaximum', path),
        multipleOf: numberIn(schema, 'multipleOf', path),
        isAmount: schema['x-amount'] === true,
      }
    case 'string':
      return readString(schema, path)
    case 'array':
      return {
        kind: 'array',
        items: readSchema(schema.items ?? true, `${path}/items`),
        minItems: numberIn(schema, 'minItems', path),
        maxItems: numberIn(schema, 'maxItems', path),
        uniqueItems: schema.uniqueItems === true,
      }
    case 'object':
      return readObject(schema, path)
    default:
      throw new Error(`schema type "${type}" at ${path} is not a JSON type`)
  }
}

function readString(schema: Record<string, unknown>, path: string): StringNode {
  const format = stringIn(schema, 'format', path)
  if (format !== undefined && !knownFormats.has(format))
    throw new Error(`unknown format "${format}" at ${path}`)
  return {
    kind: 'string',
    minLength: numberIn(schema, 'minLength', path),
    maxLength: numberIn(schema, 'maxLength', path),
    pattern: stringIn(schema, 'pattern', path),
    format,
    noCardNumber: schema.noCardNumber === true,
  }
}

function readObject(schema: Record<string, unknown>, path: string): ObjectNode {
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : []
  const properties = new Map<string, { node: SchemaNode; required: boolean }>()
  for (const [name, property] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
    properties.set(name, { node: readSchema(property, `${path}/${name}`), required: required.includes(name) })
  }
  for (const name of required.map(String)) {
    if (!properties.has(name)) properties.set(name, { node: { kind: 'any' }, required: true })
  }
  return {
    kind: 'object',
    properties,
    extras: readExtras(schema, path),
    keys: schema.propertyNames === undefined ? undefined : readSchema(schema.propertyNames, `${path}/(key)`),
    minProperties: numberIn(schema, 'minProperties', path),
    maxProperties: numberIn(schema, 'maxProperties', path),
    noCardNumber: schema.noCardNumber === true,
  }
}

/**
 * Type.Record writes "any key" as the pattern `^.*$`, which does not match a key with a line break: its value would not be checked. So
 * that one pattern is read by its meaning, and no other is supported.
 */
function readExtras(schema: Record<string, unknown>, path: string): SchemaNode | undefined {
  const patterns = isObject(schema.patternProperties) ? Object.entries(schema.patternProperties) : []
  const [record] = patterns
  if (record !== undefined) {
    if (patterns.length > 1 || record[0] !== '^.*$')
      throw new Error(`key patterns at ${path}: use "propertyNames" instead`)
    return readSchema(record[1], `${path}/(value)`)
  }
  if (schema.additionalProperties === false) return undefined
  return readSchema(schema.additionalProperties ?? true, `${path}/(extra)`)
}

function readChoices(schema: Record<string, unknown>, path: string): SchemaNode[] {
  const nodes: SchemaNode[] = []
  if ('const' in schema) nodes.push({ kind: 'choice', values: [scalar(schema.const, path)], literal: true })
  if (schema.enum !== undefined) {
    const values: unknown[] = Array.isArray(schema.enum) ? schema.enum : []
    nodes.push({ kind: 'choice', values: values.map((value) => scalar(value, path)), literal: false })
  }
  return nodes
}

function readCombinations(schema: Record<string, unknown>, path: string): SchemaNode[] {
  const nodes: SchemaNode[] = []
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    if (schema[keyword] === undefined) continue
    const variants = schemasIn(schema, keyword, path)
    const choices = variants.filter((variant) => variant.kind === 'choice')
    // A union of literals is one choice: typebox's Type.Union([Type.Literal(…), …]) and Type.Enum then report alike.
    if (choices.length === variants.length) {
      nodes.push({ kind: 'choice', values: choices.flatMap((choice) => choice.values), literal: true })
    } else nodes.push({ kind: 'union', variants, exclusive: keyword === 'oneOf' })
  }
  if (schema.allOf !== undefined) nodes.push({ kind: 'all', parts: schemasIn(schema, 'allOf', path) })
  return nodes
}

function schemasIn(schema: Record<string, unknown>, keyword: string, path: string): SchemaNode[] {
  const schemas: unknown[] = Array.isArray(schema[keyword]) ? schema[keyword] : []
  if (schemas.length === 0) throw new Error(`"${keyword}" at ${path} is empty`)
  return schemas.map((each, index) => readSchema(each, `${path}/${keyword}/${index}`))
}

function readRefinements(schema: Record<string, unknown>): SchemaNode[] {
  const refinements: unknown = schema['~refine']
  return isRefinements(refinements) && refinements.length > 0 ? [{ kind: 'refined', refinements }] : []
}

function isRefinements(value: unknown): value is Refinement[] {
  return Array.isArray(value) && value.every((each) => isObject(each) && typeof each.check === 'function')
}

function scalar(value: unknown, path: string): Scalar {
  if (value === null || typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return value
  throw new Error(`schema at ${path}: only strings, numbers, booleans and null can be listed as values`)
}

function numberIn(schema: Record<string, unknown>, keyword: string, path: string): number | undefined {
  const value = schema[keyword]
  if (value === undefined || typeof value === 'number') return value
  throw new Error(`"${keyword}" at ${path} is not a number`)
}

function stringIn(schema: Record<string, unknown>, keyword: string, path: string): string | undefined {
  const value = schema[keyword]
  if (value === undefined || typeof value === 'string') return value
  throw new Error(`"${keyword}" at ${path} is not a string`)
}

function defined(schema: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema).filter(([, value]) => value !== undefined && value !== false),
  )
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
