import { createRequire } from 'node:module'
import type { Static, TSchema } from 'typebox'
import { withoutNulls } from './left-out.ts'
import { isObject, readSchema, type SchemaNode, toCompilable } from './schema-node.ts'
import { collectIssues } from './validation-issues.ts'
import { readBoolean, type Section, type ValidationIssue } from './value-faults.ts'

export type Validator<T> = {
  /** A request in its meaning: without its nulls, except those that clear a field of a change. It is checked afterwards. */
  read: (value: unknown) => unknown
  /** The compiled check; when it accepts, that is final. */
  check: (value: unknown) => value is T
  /** Every fault of a value, for the 422 answer. Empty exactly when `check` accepts. */
  errors: (value: unknown) => ValidationIssue[]
}

/**
 * Reads a typebox schema. Throws on a format, keyword or `$ref` that it does not know, because typebox would accept every value there.
 * Strings may say `noCardNumber: true`.
 *
 * The check is compiled at its first use: to compile all checks of an API would cost the start more than a second.
 */
export function compileSchema<T extends TSchema>(schema: T, section: Section): Validator<Static<T>> {
  const node = readSchema(schema)
  const nulls = isObject(schema) && schema['x-clears'] === true ? 'clear' : 'left_out'
  let compiled: { Check(value: unknown): boolean } | undefined
  function accepts(value: unknown): boolean {
    compiled ??= compiler().Compile(toCompilable(node))
    return compiled.Check(value)
  }
  return {
    read: (value) => withoutNulls(node, value, nulls),
    check: (value): value is Static<T> => accepts(value),
    errors: (value) => {
      if (accepts(value)) return []
      const issues = collectIssues(node, value, section)
      // If the two ever disagree, the refusal stands.
      return issues.length > 0 ? issues : [{ type: 'value_error', loc: [section], msg: 'Input is not valid' }]
    },
  }
}

const require = createRequire(import.meta.url)

/** Three hundred modules, which no process needs before its first request. */
function compiler(): typeof import('typebox/compile') {
  return require('typebox/compile')
}

/**
 * Turns the text of query and path parameters into what their schema declares. Text that cannot be turned stays text, and a repeated
 * parameter that is not a list stays a list, so that validation refuses it.
 */
export function coerceQuery(
  schema: TSchema,
  raw: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, unknown> {
  const kinds = kindsOf(schema)
  // No prototype: parameter names are the caller's, `__proto__` among them.
  const coerced: Record<string, unknown> = Object.create(null)
  for (const [name, given] of Object.entries(raw)) {
    if (given === undefined) continue
    const kind = kinds.get(name)
    if (kind?.isList === true) coerced[name] = [given].flat().map((text) => coerceText(kind, text))
    else if (kind === undefined || Array.isArray(given)) coerced[name] = given
    else coerced[name] = coerceText(kind, given)
  }
  return coerced
}

type ParameterKind = { isList: boolean; hasNumber: boolean; hasBoolean: boolean }

const kindsBySchema = new WeakMap<TSchema, ReadonlyMap<string, ParameterKind>>()

function kindsOf(schema: TSchema): ReadonlyMap<string, ParameterKind> {
  const cached = kindsBySchema.get(schema)
  if (cached !== undefined) return cached
  const node = readSchema(schema)
  if (node.kind !== 'object') throw new Error('parameters are declared as one object')
  const kinds = new Map([...node.properties].map(([name, property]) => [name, kindOf(property.node)]))
  kindsBySchema.set(schema, kinds)
  return kinds
}

function kindOf(node: SchemaNode): ParameterKind {
  const leaves = leavesOf(node)
  const list = leaves.find((leaf) => leaf.kind === 'array')
  if (list?.kind === 'array') return { ...kindOf(list.items), isList: true }
  return {
    isList: false,
    hasNumber: leaves.some(
      (leaf) => leaf.kind === 'integer' || leaf.kind === 'number' || lists(leaf, 'number'),
    ),
    hasBoolean: leaves.some((leaf) => leaf.kind === 'boolean' || lists(leaf, 'boolean')),
  }
}

function leavesOf(node: SchemaNode): SchemaNode[] {
  if (node.kind === 'union') return node.variants.flatMap(leavesOf)
  return node.kind === 'all' ? node.parts.flatMap(leavesOf) : [node]
}

function lists(node: SchemaNode, type: 'number' | 'boolean'): boolean {
  return node.kind === 'choice' && node.values.some((value) => typeof value === type)
}

function coerceText(kind: ParameterKind, text: string): string | number | boolean {
  if (kind.hasBoolean) {
    const boolean = readBoolean(text)
    // `1` and `0` are numbers where numbers are accepted as well.
    if (boolean !== undefined && !(kind.hasNumber && /^[01]$/.test(text))) return boolean
  }
  if (!kind.hasNumber || !/^-?\d+$/.test(text)) return text
  const number = Number(text)
  if (!Number.isSafeInteger(number)) return text
  return number === 0 ? 0 : number
}
