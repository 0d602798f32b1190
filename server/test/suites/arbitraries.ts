import fc, { type Arbitrary } from 'fast-check'
import { looksLikeCardNumber } from '../../src/schema/card-number.ts'
import type {
  ArrayNode,
  NumberNode,
  ObjectNode,
  SchemaNode,
  StringNode,
} from '../../src/schema/schema-node.ts'
import { formatSamples } from './sample.ts'

const itemsMade = 4

/** Values that a schema takes, made from its keywords and not with the validator. `named` gives ids that exist. */
export function validOf(
  node: SchemaNode,
  named: (name: string) => Arbitrary<unknown> | undefined,
): Arbitrary<unknown> {
  switch (node.kind) {
    case 'any':
    case 'refined':
      return fc.constantFrom('any', 1, null)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'string':
      return validString(node)
    case 'integer':
    case 'number':
      return validNumber(node)
    case 'array':
      return validArray(node, named)
    case 'object':
      return validObject(node, named)
    case 'choice':
      return fc.constantFrom(...node.values)
    case 'union':
      return fc.oneof(...node.variants.map((variant) => validOf(variant, named)))
    case 'all': {
      const [first] = node.parts
      return first ? validOf(first, named) : fc.constant(null)
    }
    default:
      return node satisfies never
  }
}

/** Text that any field may hold: several alphabets, marks, astral characters, right-to-left, nothing the wire forbids. */
const textUnit = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz ABC-_.') },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'é',
      'ß',
      '漢',
      '😀',
      'א',
      '\u200d',
      '\u0301',
      "'",
      '"',
      '\\',
      '<',
      '%',
      '\n',
      '\t',
    ),
  },
)

function validString({
  minLength = 0,
  maxLength,
  pattern,
  format,
  noCardNumber,
}: StringNode): Arbitrary<string> {
  if (format !== undefined) return fc.constantFrom(...(formatSamples[format] ?? ['']))
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern, 'u'))
  const most = maxLength ?? 64
  const usual = fc.string({ unit: textUnit, minLength, maxLength: Math.max(minLength, Math.min(most, 24)) })
  const edges = fc.constantFrom(minLength, Math.min(most, 2000)).map((length) => 'x'.repeat(length))
  const text = fc.oneof({ weight: 4, arbitrary: usual }, { weight: 1, arbitrary: edges })
  return noCardNumber ? text.filter((value) => !looksLikeCardNumber(value)) : text
}

function validNumber(node: NumberNode): Arbitrary<number> {
  const low = node.minimum ?? (node.exclusiveMinimum === undefined ? -1_000_000 : node.exclusiveMinimum + 1)
  const high =
    node.maximum ?? (node.exclusiveMaximum === undefined ? 1_000_000_000 : node.exclusiveMaximum - 1)
  const step = node.multipleOf ?? 1
  const steps = fc.integer({ min: Math.ceil(low / step), max: Math.min(Math.floor(high / step), 2 ** 48) })
  return fc.oneof(
    steps.map((count) => count * step),
    fc.constantFrom(Math.ceil(low / step) * step, Math.floor(high / step) * step),
  )
}

function validArray(node: ArrayNode, named: Parameters<typeof validOf>[1]): Arbitrary<unknown[]> {
  const { items, minItems = 0, maxItems = itemsMade } = node
  const maxLength = Math.max(minItems, Math.min(maxItems, itemsMade))
  const each = validOf(items, named)
  if (!node.uniqueItems) return fc.array(each, { minLength: minItems, maxLength })
  return fc.uniqueArray(each, { minLength: minItems, maxLength, selector: (value) => JSON.stringify(value) })
}

function validObject(node: ObjectNode, named: Parameters<typeof validOf>[1]): Arbitrary<unknown> {
  const members = [...node.properties].map(
    ([name, property]) => [name, named(name) ?? validOf(property.node, named)] as const,
  )
  const requiredKeys = [...node.properties].filter(([, { required }]) => required).map(([name]) => name)
  const fixed = fc.record(Object.fromEntries(members), { requiredKeys, noNullPrototype: true })
  const { minProperties: least = 0 } = node
  if (node.extras === undefined || node.properties.size > 0) {
    return least === 0 ? fixed : fixed.filter((value) => Object.keys(value).length >= least)
  }
  const keys = node.keys
    ? validOf(node.keys, named).map(String).filter(isPlainKey)
    : fc.string({ minLength: 1, maxLength: 8 }).filter(isPlainKey)
  const { minProperties = 0, maxProperties = itemsMade } = node
  return fc.dictionary(keys, validOf(node.extras, named), {
    minKeys: minProperties,
    maxKeys: Math.max(minProperties, Math.min(maxProperties, itemsMade)),
    noNullPrototype: true,
  })
}

/** The scan of the bytes refuses keys that poison objects, so no schema sees them. */
function isPlainKey(key: string): boolean {
  return !['__proto__', 'constructor', 'prototype'].includes(key)
}

/** Values that are wrong almost everywhere: other types, edges, dangerous characters. */
export const junk: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    false,
    0,
    -1,
    1.5,
    2 ** 31,
    2 ** 53 - 1,
    1e12 + 1,
    '',
    ' ',
    '0',
    '1',
    'true',
    'null',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\u202e',
    '😀'.repeat(300),
    'x'.repeat(300),
    'x'.repeat(3000),
    "'; drop table profiles; --",
    '../../etc/passwd',
    '{{7*7}}',
    '4242424242424242',
    '2026-02-30T00:00:00Z',
    'javascript:alert(1)',
    'http://169.254.169.254/',
    [],
    {},
    [[]],
    [null],
    { a: 1 },
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: 2, max: 40 }).map((depth) => nested(depth)),
  fc.jsonValue({ maxDepth: 3 }),
)

function nested(depth: number): unknown {
  let value: unknown = 'deep'
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

/** One change somewhere inside: another value, a missing member, an unknown member, a doubled list. */
export function nearOf(valid: Arbitrary<unknown>): Arbitrary<unknown> {
  return fc
    .tuple(valid, fc.array(fc.nat({ max: 1000 }), { minLength: 4, maxLength: 4 }), junk, fc.nat({ max: 4 }))
    .map(([value, way, other, kind]) => changed(value, way, other, kind))
}

function changed(value: unknown, way: readonly number[], other: unknown, kind: number): unknown {
  const [turn = 0, ...rest] = way
  if (Array.isArray(value) && value.length > 0 && kind !== 4) {
    const at = turn % value.length
    return value.map((each, index) => (index === at ? changed(each, rest, other, kind) : each))
  }
  if (Array.isArray(value)) return [...value, ...value, other]
  if (typeof value !== 'object' || value === null) return numberNear(value, other, kind)
  const entries = Object.entries(value)
  if (kind === 0 || entries.length === 0) return { ...value, [`unknown_${turn}`]: other }
  const at = turn % entries.length
  if (kind === 1 && rest.length < 3) return Object.fromEntries(entries.filter((_, index) => index !== at))
  return Object.fromEntries(
    entries.map(([name, each], index) =>
      index === at ? [name, changed(each, rest, other, kind)] : [name, each],
    ),
  )
}

/** Half of the time just beyond the edge, or the same value as another type. */
function numberNear(value: unknown, other: unknown, kind: number): unknown {
  if (kind === 2 && typeof value === 'number') return String(value)
  if (kind === 2 && typeof value === 'string') return value.repeat(40)
  if (kind === 3 && typeof value === 'number') return -value - 1
  if (kind === 3 && typeof value === 'string') return `${value}\u0000`
  return other
}
