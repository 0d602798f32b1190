import { looksLikeCardNumber } from './card-number.ts'
import { formatRefusal, matchesFormat } from './formats.ts'
import { isWrittenWithDecimals } from './number-spelling.ts'
import {
  type ArrayNode,
  type ChoiceNode,
  holdsCardNumber,
  isObject,
  type NumberNode,
  type ObjectNode,
  type Scalar,
  type SchemaNode,
  type StringNode,
  takesAmount,
  type UnionNode,
} from './schema-node.ts'
import {
  booleanFault,
  decimalsFault,
  fractionFault,
  issue,
  type Loc,
  numberFault,
  type Section,
  tellToLeaveOut,
  typeFault,
  type ValidationIssue,
} from './value-faults.ts'

/** A hostile body could have tens of thousands of faults; nobody reads more than this, and the answer stays small. */
const ISSUES_MAX = 1000
const KEY_SHOWN_MAX = 100

/** All faults of a value, in the order of the schema, then unknown keys. It never contains the value. */
export function collectIssues(node: SchemaNode, value: unknown, section: Section): ValidationIssue[] {
  return issuesOf(node, value, [section]).slice(0, ISSUES_MAX)
}

function issuesOf(node: SchemaNode, value: unknown, loc: Loc): ValidationIssue[] {
  switch (node.kind) {
    case 'any':
      return []
    case 'null':
      return value === null ? [] : [issue('none_required', loc, 'Input should be null')]
    case 'boolean':
      return typeof value === 'boolean' ? [] : [booleanFault(value, loc)]
    case 'string':
      return typeof value === 'string' ? stringIssues(node, value, loc) : [typeFault('string', value, loc)]
    case 'integer':
    case 'number':
      return typeof value === 'number' ? numberIssues(node, value, loc) : [numberFault(node, value, loc)]
    case 'array':
      return Array.isArray(value) ? arrayIssues(node, value, loc) : [typeFault('array', value, loc)]
    case 'object':
      return isObject(value)
        ? objectIssues(node, value, loc)
        : [typeFault(isRecord(node) ? 'record' : 'object', value, loc)]
    case 'choice':
      return choiceIssues(node, value, loc)
    case 'union':
      return unionIssues(node, value, loc)
    case 'all':
      return allIssues(node.parts, value, loc)
    case 'refined':
      return node.refinements
        .filter((refinement) => !refinement.check(value))
        .map((refinement) => issue('value_error', loc, refinement.error(value)))
    default:
      return node satisfies never
  }
}

function allIssues(parts: readonly SchemaNode[], value: unknown, loc: Loc): ValidationIssue[] {
  const issues: ValidationIssue[] = []
  for (const part of parts) {
    // A refinement may rely on the shape, which the parts before it have just refused.
    if (part.kind === 'refined' && issues.length > 0) continue
    issues.push(...issuesOf(part, value, loc))
  }
  return issues
}

function stringIssues(node: StringNode, value: string, loc: Loc): ValidationIssue[] {
  const { minLength, maxLength, pattern, format } = node
  const length = minLength === undefined && maxLength === undefined ? 0 : codePoints(value)
  if (minLength !== undefined && length < minLength) {
    const msg = `String should have at least ${counted(minLength, 'character')}`
    return [issue('string_too_short', loc, msg, { min_length: minLength })]
  }
  if (maxLength !== undefined && length > maxLength) {
    const msg = `String should have at most ${counted(maxLength, 'character')}`
    return [issue('string_too_long', loc, msg, { max_length: maxLength })]
  }
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) {
    return [issue('string_pattern_mismatch', loc, `String should match pattern '${pattern}'`, { pattern })]
  }
  if (format !== undefined && !matchesFormat(format, value))
    return [issue('value_error', loc, formatRefusal(format, value))]
  if (node.noCardNumber && looksLikeCardNumber(value)) {
    return [issue('value_error', loc, 'value must not contain a card number')]
  }
  return []
}

function numberIssues(node: NumberNode, value: number, loc: Loc): ValidationIssue[] {
  if (!Number.isFinite(value)) return [issue('finite_number', loc, 'Input should be a finite number')]
  if (node.kind === 'integer' && !Number.isInteger(value)) {
    return [fractionFault(node, loc)]
  }
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = node
  if (multipleOf !== undefined && !isMultiple(value, multipleOf)) {
    return [
      issue('multiple_of', loc, `Input should be a multiple of ${multipleOf}`, { multiple_of: multipleOf }),
    ]
  }
  if (maximum !== undefined && value > maximum) {
    return [
      issue('less_than_equal', loc, `Input should be less than or equal to ${maximum}`, { le: maximum }),
    ]
  }
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) {
    return [
      issue('less_than', loc, `Input should be less than ${exclusiveMaximum}`, { lt: exclusiveMaximum }),
    ]
  }
  if (minimum !== undefined && value < minimum) {
    return [
      issue('greater_than_equal', loc, `Input should be greater than or equal to ${minimum}`, {
        ge: minimum,
      }),
    ]
  }
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) {
    return [
      issue('greater_than', loc, `Input should be greater than ${exclusiveMinimum}`, {
        gt: exclusiveMinimum,
      }),
    ]
  }
  return []
}

function arrayIssues(node: ArrayNode, values: readonly unknown[], loc: Loc): ValidationIssue[] {
  const size = sizeIssue('Array', values.length, { min: node.minItems, max: node.maxItems }, loc)
  // The items of a list that is too long are not checked, so that the answer cannot become larger than the request.
  if (size?.type === 'too_long') return [size]
  const issues = size === undefined ? [] : [size]
  for (const [index, value] of values.entries()) {
    issues.push(...issuesOf(node.items, value, [...loc, index]))
    if (issues.length > ISSUES_MAX) return issues
  }
  const repeated =
    node.uniqueItems && issues.length === 0 && new Set(values.map(canonical)).size < values.length
  if (repeated) issues.push(issue('value_error', loc, 'Array items should be unique'))
  return issues
}

function objectIssues(node: ObjectNode, value: Record<string, unknown>, loc: Loc): ValidationIssue[] {
  const limits = { min: node.minProperties, max: node.maxProperties }
  const size = sizeIssue('Object', Object.keys(value).length, limits, loc)
  if (size?.type === 'too_long' && isRecord(node)) return [size]
  const issues: ValidationIssue[] = []
  for (const [name, property] of node.properties) {
    const present = Object.hasOwn(value, name)
    if (!present && property.required) issues.push(issue('missing', [...loc, name], 'Field required'))
    if (!present || (value[name] === undefined && !property.required)) continue
    const at = [...loc, name]
    const found = issuesOf(property.node, value[name], at)
    if (value[name] === '' && !property.required) found.forEach(tellToLeaveOut)
    if (found.length > 0) issues.push(...found)
    else if (takesAmount(property.node) && isWrittenWithDecimals(value, name)) issues.push(decimalsFault(at))
  }
  for (const key of Object.keys(value)) {
    if (issues.length > ISSUES_MAX) break
    if (node.keys !== undefined) issues.push(...issuesOf(node.keys, key, [...loc, shownKey(key), '[key]']))
    if (node.properties.has(key)) continue
    const at = [...loc, shownKey(key)]
    if (node.extras === undefined) issues.push(issue('extra_forbidden', at, 'Extra inputs are not permitted'))
    else issues.push(...issuesOf(node.extras, value[key], at))
  }
  if (size !== undefined) issues.push(size)
  if (node.noCardNumber && holdsCardNumber(value))
    issues.push(issue('value_error', loc, 'value must not contain a card number'))
  return issues
}

/** A key is the caller's text too: a key that looks like a card number is not repeated, nor is a very long one. */
function shownKey(key: string): string {
  if (looksLikeCardNumber(key)) return '[redacted]'
  return key.length > KEY_SHOWN_MAX ? `${key.slice(0, KEY_SHOWN_MAX).toWellFormed()}…` : key
}

function choiceIssues(node: ChoiceNode, value: unknown, loc: Loc): ValidationIssue[] {
  if (node.values.some((allowed) => allowed === value)) return []
  const expected = alternatives(node.values.map(shown), 'or')
  return [issue(node.literal ? 'literal_error' : 'enum', loc, `Input should be ${expected}`, { expected })]
}

function unionIssues(node: UnionNode, value: unknown, loc: Loc): ValidationIssue[] {
  const reports = node.variants.map((variant) => issuesOf(variant, value, loc))
  const passing = reports.filter((report) => report.length === 0).length
  if (passing === 1 || (passing > 1 && !node.exclusive)) return []
  if (passing > 1) return [issue('union_error', loc, 'Input should match exactly one of the allowed forms')]
  const tagged = isObject(value) ? taggedIssues(node, value, loc) : undefined
  if (tagged !== undefined) return tagged
  const ofSameType = reports.filter((_, index) => admitsTypeOf(node.variants[index], value))
  const [best] = ofSameType.toSorted((a, b) => a.length - b.length)
  if (best !== undefined) return best
  // Where null is the only alternative, the other one is wanted.
  const [wanted, ...others] = node.variants.filter((variant) => variant.kind !== 'null')
  if (wanted !== undefined && others.length === 0) return issuesOf(wanted, value, loc)
  const names = [...new Set(node.variants.flatMap(typeName))]
  return [issue('union_error', loc, `Input should be a valid ${alternatives(names, 'or')}`)]
}

/** When each variant is an object that one property identifies, only the named variant is worth reporting on. */
function taggedIssues(
  node: UnionNode,
  value: Record<string, unknown>,
  loc: Loc,
): ValidationIssue[] | undefined {
  const objects = node.variants.filter((variant) => variant.kind === 'object')
  const tag = discriminator(objects)
  if (tag === undefined) return undefined
  const chosen = objects.find((variant) => tagValues(variant, tag).some((each) => each === value[tag]))
  if (chosen !== undefined) return issuesOf(chosen, value, loc)
  const at = [...loc, tag]
  const untagged = objects.find((variant) => variant.properties.get(tag)?.required === false)
  if (!Object.hasOwn(value, tag))
    return untagged ? issuesOf(untagged, value, loc) : [issue('missing', at, 'Field required')]
  const values = objects.flatMap((variant) => tagValues(variant, tag))
  return choiceIssues({ kind: 'choice', values, literal: true }, value[tag], at)
}

function discriminator(objects: readonly ObjectNode[]): string | undefined {
  const [first] = objects
  if (first === undefined || objects.length < 2) return undefined
  return [...first.properties.keys()].find((name) => {
    const values = objects.flatMap((variant) => tagValues(variant, name))
    const everywhere = objects.every((variant) => tagValues(variant, name).length > 0)
    return everywhere && new Set(values).size === values.length
  })
}

function tagValues(variant: ObjectNode, name: string): readonly Scalar[] {
  const node = variant.properties.get(name)?.node
  return node?.kind === 'choice' ? node.values : []
}

function admitsTypeOf(node: SchemaNode | undefined, value: unknown): boolean {
  switch (node?.kind) {
    case 'string':
    case 'boolean':
      return typeof value === node.kind
    case 'integer':
    case 'number':
      return typeof value === 'number'
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'choice':
      return node.values.some((allowed) => typeof allowed === typeof value)
    case 'union':
      return node.variants.some((variant) => admitsTypeOf(variant, value))
    case 'all':
      return node.parts.every((part) => admitsTypeOf(part, value))
    default:
      return node?.kind === 'any' || node?.kind === 'refined'
  }
}

function typeName(node: SchemaNode): string[] {
  if (node.kind === 'choice') return node.values.map(shown)
  if (node.kind === 'array' || node.kind === 'object') return [node.kind]
  return node.kind === 'refined' || node.kind === 'any' || node.kind === 'all' || node.kind === 'union'
    ? ['value']
    : [node.kind]
}

function sizeIssue(
  field: 'Array' | 'Object',
  actual: number,
  limits: { min: number | undefined; max: number | undefined },
  loc: Loc,
): ValidationIssue | undefined {
  const short = limits.min !== undefined && actual < limits.min
  const limit = short ? limits.min : limits.max
  if (limit === undefined || (!short && actual <= limit)) return undefined
  const bound = short ? 'at least' : 'at most'
  const msg = `${field} should have ${bound} ${counted(limit, 'item')}, not ${actual}`
  const ctx = { field_type: field, [short ? 'min_length' : 'max_length']: limit, actual_length: actual }
  return issue(short ? 'too_short' : 'too_long', loc, msg, ctx)
}

function isRecord(node: ObjectNode): boolean {
  return node.properties.size === 0 && node.extras !== undefined
}

function isMultiple(value: number, of: number): boolean {
  return Number.isInteger(of) ? value % of === 0 : Math.abs(value / of - Math.round(value / of)) < 1e-9
}

function codePoints(value: string): number {
  let count = value.length
  for (let at = 0; at < value.length; at++) if ((value.codePointAt(at) ?? 0) > 0xffff) count--
  return count
}

/** Equal for equal JSON values, whatever the order of their keys. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`
  if (!isObject(value)) return JSON.stringify(value) ?? 'undefined'
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join()}}`
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function alternatives(names: readonly string[], conjunction: string): string {
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} ${conjunction} ${last}`
}

function shown(value: Scalar): string {
  return typeof value === 'string' ? `'${value}'` : String(value)
}
