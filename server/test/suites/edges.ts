import {
  type ArrayNode,
  type ChoiceNode,
  isObject,
  type NumberNode,
  type ObjectNode,
  type SchemaNode,
  type StringNode,
} from '../../src/schema/schema-node.ts'
import { collectIssues } from '../../src/schema/validation-issues.ts'
import { brokenFormats, formatSamples, type Named, sampleOf, textsLike } from './sample.ts'

/** A value at, just within or just beyond one bound of a schema. Everything else about it is valid. */
export type Edge = {
  /** Which member and which bound, such as `items[0].quantity maximum + 1`. */
  at: string
  value: unknown
  /** What the schema's keywords say; null where another alternative, or a rule over several members, decides. */
  isTaken: boolean | null
}

/** Where the edges are: within `base`, the rest of a valid value, with ids of objects that exist. */
type Place = { at: string; base: unknown; named: Named }

/** Every bound of a schema, tried at, below and above. By rule: the same schema has the same edges. */
export function edgesOf(node: SchemaNode, place: Place): Edge[] {
  switch (node.kind) {
    case 'any':
    case 'refined':
      return [edge(place, 'given', sampleOf(node, place.named), null)]
    case 'boolean':
      return [
        edge(place, 'true', true, true),
        edge(place, 'false', false, true),
        edge(place, 'as text', 'true', false),
      ]
    case 'null':
      return [edge(place, 'null', null, true)]
    case 'string':
      return stringEdges(node, place)
    case 'integer':
    case 'number':
      return numberEdges(node, place)
    case 'array':
      return arrayEdges(node, place)
    case 'object':
      return objectEdges(node, place)
    case 'choice':
      return choiceEdges(node, place)
    case 'union':
      return unionEdges(node.variants, node.exclusive, place)
    case 'all':
      // A value that one part takes, another part may refuse.
      return node.parts.flatMap((part) => edgesOf(part, fitting(part, place)).map(unlessTaken))
    default:
      return node satisfies never
  }
}

function edge({ at }: Place, rule: string, value: unknown, isTaken: boolean | null): Edge {
  return { at: `${at} ${rule}`.trim(), value, isTaken }
}

function unlessTaken(one: Edge): Edge {
  return one.isTaken ? { ...one, isTaken: null } : one
}

/** The place with a base that this node takes. It is a new one where the given base belongs to another alternative. */
function fitting(node: SchemaNode, place: Place): Place {
  const fits = place.base !== undefined && collectIssues(node, place.base, 'body').length === 0
  return fits ? place : { ...place, base: sampleOf(node, place.named) }
}

function stringEdges(node: StringNode, place: Place): Edge[] {
  const { minLength, maxLength, pattern, format, noCardNumber } = node
  const isPlain = pattern === undefined && format === undefined
  const edges = [edge(place, 'as a number', 1, false)]
  function ofLength(rule: string, length: number, isWithin: boolean): void {
    if (length < 0 || (isWithin && length > (maxLength ?? length))) return
    edges.push(edge(place, rule, 'x'.repeat(length), isWithin && !isPlain ? null : isWithin))
    // Lengths are counted in characters, not in UTF-16 units.
    if (isPlain && length > 0) edges.push(edge(place, `${rule} of two units`, '😀'.repeat(length), isWithin))
  }
  if (minLength !== undefined) {
    ofLength('minLength - 1', minLength - 1, false)
    ofLength('minLength', minLength, true)
    ofLength('minLength + 1', minLength + 1, true)
  }
  if (maxLength !== undefined) {
    if (maxLength > (minLength ?? 0)) ofLength('maxLength - 1', maxLength - 1, true)
    ofLength('maxLength', maxLength, true)
    ofLength('maxLength + 1', maxLength + 1, false)
  }
  if (!isPlain || edges.length === 1)
    for (const text of textsLike(node, 2)) edges.push(edge(place, 'given', text, true))
  if (pattern !== undefined) edges.push(...patternEdges(node, pattern, place))
  for (const broken of format === undefined ? [] : (brokenFormats[format] ?? []))
    edges.push(edge(place, `format: ${broken}`, broken, false))
  if (format !== undefined) edges.push(...longFormatEdges(format, maxLength, place))
  const card = noCardNumber ? cardIn(node) : undefined
  if (card !== undefined) edges.push(edge(place, 'card number', card, false))
  return edges
}

/** A card number that this node would take if it were no card number; nothing where the node takes nothing as long. */
function cardIn({ maxLength, pattern, format }: StringNode): string | undefined {
  const number = '4242424242424242'
  if (format === 'email') return `${number}@example.com`
  if ((maxLength ?? number.length) < number.length) return undefined
  return [number, `a${number}`].find((text) => pattern === undefined || new RegExp(pattern, 'u').test(text))
}

/** Of formats that have any length: values of the format, at the maximum length and longer. */
function longFormatEdges(format: string, maxLength: number | undefined, place: Place): Edge[] {
  const sample = formatSamples[format]?.[0] ?? ''
  if (maxLength === undefined || !['https-url', 'endpoint-url', 'visible-ascii'].includes(format)) return []
  return [
    edge(place, 'format, maxLength', sample.padEnd(maxLength, 'a'), null),
    edge(place, 'format, maxLength + 1', sample.padEnd(maxLength + 1, 'a'), false),
  ]
}

/** Texts that almost match: one character more at either end, one less, another case, a line break. */
function patternEdges(node: StringNode, pattern: string, place: Place): Edge[] {
  const expression = new RegExp(pattern, 'u')
  const [sample = ''] = textsLike(node, 1)
  const near = [`${sample}!`, `!${sample}`, `${sample}\n`, sample.slice(0, -1), sample.toUpperCase(), '']
  return [...new Set(near)]
    .filter((text) => !expression.test(text))
    .map((text) => edge(place, `pattern: ${JSON.stringify(text.slice(0, 40))}`, text, false))
}

function numberEdges(node: NumberNode, place: Place): Edge[] {
  const isWhole = node.kind === 'integer'
  const step = node.multipleOf ?? 1
  const low = node.minimum ?? (node.exclusiveMinimum === undefined ? undefined : node.exclusiveMinimum + step)
  const high =
    node.maximum ?? (node.exclusiveMaximum === undefined ? undefined : node.exclusiveMaximum - step)
  const sample = Number(sampleOf(node, place.named))
  const edges = [
    edge(place, 'given', sample, true),
    edge(place, 'as text', String(sample), false),
    ...(isWhole ? [edge(place, 'with a fraction', sample + 0.5, false)] : []),
    ...(step > 1 ? [edge(place, 'multipleOf + 1', sample + 1, false)] : []),
  ]
  function number(rule: string, value: number, isWithin: boolean): void {
    const isEven = value % step === 0
    const isSafe = Number.isSafeInteger(value)
    edges.push(edge(place, rule, value, isWithin && !isEven ? false : isSafe ? isWithin : null))
  }
  if (low !== undefined) {
    number('minimum - 1', low - step, false)
    number('minimum', low, true)
    if (high === undefined || low < high) number('minimum + 1', low + step, true)
  }
  if (high !== undefined) {
    if (low === undefined || low < high) number('maximum - 1', high - step, true)
    number('maximum', high, true)
    number('maximum + 1', high + step, false)
  }
  return edges
}

function arrayEdges(node: ArrayNode, place: Place): Edge[] {
  const { items, minItems = 0, maxItems, uniqueItems } = node
  const base = Array.isArray(place.base) ? place.base : []
  const edges = [edge(place, 'as text', 'x', false), edge(place, 'as an object', { 0: 'x' }, false)]
  function ofSize(rule: string, size: number, isWithin: boolean): void {
    if (size < 0) return
    const values = manyOf(items, size, place.named)
    const isDistinct = new Set(values.map((value) => JSON.stringify(value))).size === values.length
    edges.push(edge(place, rule, values, isWithin && uniqueItems && !isDistinct ? null : isWithin))
  }
  ofSize('minItems - 1', minItems - 1, false)
  ofSize('minItems', minItems, true)
  if (maxItems !== undefined) {
    if (maxItems - 1 > minItems) ofSize('maxItems - 1', maxItems - 1, true)
    ofSize('maxItems', maxItems, true)
    ofSize('maxItems + 1', maxItems + 1, false)
  }
  const rest = base.length > 1 ? base.slice(1) : manyOf(items, Math.max(minItems - 1, 0), place.named)
  const [first = sampleOf(items, place.named)] = base
  if (uniqueItems && (maxItems ?? 2) >= 2)
    edges.push(edge(place, 'one twice', [first, first, ...rest.slice(1)], false))
  const each = edgesOf(items, { ...place, at: `${place.at}[0]`, base: first })
  for (const one of each) edges.push(around(one, [one.value, ...rest], uniqueItems && rest.length > 0))
  return edges
}

function around(one: Edge, value: unknown, isBounded: boolean): Edge {
  return isBounded ? unlessTaken({ ...one, value }) : { ...one, value }
}

/** This many different values, or as many as the schema has. */
function manyOf(node: SchemaNode, count: number, named: Named): unknown[] {
  if (node.kind === 'string') {
    const texts = textsLike(node, count)
    return Array.from({ length: count }, (_, index) => texts[index % texts.length])
  }
  if (node.kind === 'choice')
    return Array.from({ length: count }, (_, index) => node.values[index % node.values.length])
  if (node.kind === 'integer') {
    const low = Number(sampleOf(node, named))
    return Array.from({ length: count }, (_, index) => Math.min(low + index, node.maximum ?? low + index))
  }
  if (node.kind === 'all' && node.parts[0]) return manyOf(node.parts[0], count, named)
  if (node.kind === 'object') return manyObjects(node, count, named)
  return Array.from({ length: count }, () => sampleOf(node, named))
}

function manyObjects(node: ObjectNode, count: number, named: Named): unknown[] {
  const sample = sampleOf(node, named)
  const [name, texts] =
    [...node.properties]
      .filter(([, { required }]) => required)
      .map(([key, property]) => [key, manyOf(property.node, count, named)] as const)
      .find(([, values]) => new Set(values).size === count) ?? []
  return Array.from({ length: count }, (_, index) =>
    isObject(sample) && name !== undefined ? { ...sample, [name]: texts?.[index] } : sample,
  )
}

function objectEdges(node: ObjectNode, place: Place): Edge[] {
  const base = isObject(place.base) ? place.base : {}
  const edges = [edge(place, 'as a list', [], false), edge(place, 'as text', 'x', false)]
  const isCounted = node.minProperties !== undefined || node.maxProperties !== undefined
  for (const [name, { node: member, required }] of node.properties) {
    const at = place.at === '' ? name : `${place.at}.${name}`
    const { [name]: given, ...others } = base
    const known = place.named(name)
    const inner = { ...place, at, base: given ?? known ?? sampleOf(member, place.named) }
    if (required || given !== undefined)
      edges.push(edge(inner, required ? 'required' : 'left out', others, isCounted ? null : !required))
    // In an optional member, null means that it is left out.
    const without = takesNull(member) || (!required && isCounted) ? null : !required
    edges.push(edge(inner, 'null', { ...base, [name]: null }, without))
    for (const one of edgesOf(member, inner)) {
      const isId = known !== undefined && one.isTaken === true
      edges.push({ ...around(one, { ...base, [name]: one.value }, isCounted && !isId) })
    }
  }
  if (node.extras === undefined) edges.push(edge(place, 'unknown', { ...base, unknown_member: 'x' }, false))
  else edges.push(...recordEdges(node, node.extras, { ...place, base }))
  if (node.noCardNumber)
    edges.push(edge(place, 'card number within', { ...base, within: ['4242424242424242'] }, false))
  return [...edges, ...countEdges(node, place)]
}

/** Keys that the caller chooses: which are allowed, how many, and their values. */
function recordEdges(node: ObjectNode, extras: SchemaNode, place: Place): Edge[] {
  const base = isObject(place.base) ? place.base : {}
  const value = sampleOf(extras, place.named)
  const edges: Edge[] = []
  const key = node.keys === undefined ? 'key' : String(sampleOf(node.keys, place.named))
  for (const one of edgesOf(extras, { ...place, at: `${place.at}.${key}`, base: base[key] ?? value }))
    edges.push({ ...one, value: { ...base, [key]: one.value } })
  const keyEdges = node.keys === undefined ? [] : edgesOf(node.keys, { ...place, base: key })
  for (const one of keyEdges)
    if (typeof one.value === 'string')
      edges.push({
        ...one,
        at: `${place.at} key ${one.at.slice(place.at.length)}`,
        value: { ...base, [one.value]: value },
      })
  return edges
}

/** The most members that are allowed, and one more; the fewest, and one less. Members with a name of their own come first. */
function countEdges(node: ObjectNode, place: Place): Edge[] {
  const { minProperties, maxProperties, properties, extras, keys } = node
  const named = [...properties].sort(([, a], [, b]) => Number(b.required) - Number(a.required))
  const least = named.filter(([, { required }]) => required).length
  const most = extras === undefined ? named.length : Number.POSITIVE_INFINITY
  function ofSize(rule: string, size: number | undefined, isWithin: boolean): Edge[] {
    if (size === undefined || size < least || size > most) return []
    const own = named.slice(0, size).map(([name, { node: member }]) => [name, sampleOf(member, place.named)])
    const more = extras === undefined ? 0 : size - own.length
    const free = keys === undefined ? [] : manyOf(keys, more, place.named)
    const others = Array.from({ length: more }, (_, index) => [
      String(free[index] ?? `key_${index}`),
      extras && sampleOf(extras, place.named),
    ])
    const isAll = own.length === named.length
    return [edge(place, rule, Object.fromEntries([...own, ...others]), isWithin && !isAll ? null : isWithin)]
  }
  return [
    ...ofSize('minProperties - 1', minProperties && minProperties - 1, false),
    ...ofSize('minProperties', minProperties, true),
    ...ofSize('maxProperties', maxProperties, true),
    ...ofSize('maxProperties + 1', maxProperties && maxProperties + 1, false),
  ]
}

function choiceEdges({ values }: ChoiceNode, place: Place): Edge[] {
  const wrong = ['unlisted', ...values.flatMap(otherwiseWritten)].filter(
    (value) => !values.some((listed) => listed === value),
  )
  return [
    ...values.map((value) => edge(place, `enum: ${value}`, value, true)),
    ...[...new Set(wrong)].slice(0, 3).map((value) => edge(place, `enum: not ${value}`, value, false)),
  ]
}

function otherwiseWritten(value: string | number | boolean | null): (string | number)[] {
  if (typeof value === 'string') return [value.toUpperCase(), `${value} `]
  return typeof value === 'number' ? [value + 1] : [String(value)]
}

function unionEdges(variants: readonly SchemaNode[], isExclusive: boolean, place: Place): Edge[] {
  return variants.flatMap((variant, index) => {
    const others = variants.filter((_, other) => other !== index)
    return edgesOf(variant, fitting(variant, place)).map((one) => {
      const isOthers = others.some((other) => mayTake(other, one.value))
      return isOthers && (one.isTaken === false || isExclusive) ? { ...one, isTaken: null } : one
    })
  })
}

/** Whether the node knows the type of the value. Whether it takes the value is another question. */
function mayTake(node: SchemaNode, value: unknown): boolean {
  switch (node.kind) {
    case 'any':
    case 'refined':
      return true
    case 'choice':
      return node.values.some((listed) => listed === value)
    case 'union':
      return node.variants.some((variant) => mayTake(variant, value))
    case 'all':
      return node.parts.every((part) => mayTake(part, value))
    case 'integer':
    case 'number':
      return typeof value === 'number'
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    default:
      return typeof value === node.kind
  }
}

function takesNull(node: SchemaNode): boolean {
  return mayTake(node, null)
}
