import type { NumberNode } from './schema-node.ts'
import type { JsonValue } from './strict-json.ts'

export type Section = 'body' | 'query' | 'path' | 'header'

export type Loc = readonly (string | number)[]

export type ValidationIssue = {
  type: string
  loc: (string | number)[]
  msg: string
  ctx?: Record<string, JsonValue>
}

export function issue(type: string, loc: Loc, msg: string, ctx?: Record<string, JsonValue>): ValidationIssue {
  return { type, loc: [...loc], msg, ...(ctx === undefined ? {} : { ctx }) }
}

// The types are pydantic's, which clients compare; the sentences speak of JSON, since few of their readers know Python.
const TYPE_FAULTS = {
  string: { type: 'string_type', noun: 'string' },
  array: { type: 'list_type', noun: 'array' },
  record: { type: 'dict_type', noun: 'object' },
  object: { type: 'model_attributes_type', noun: 'object' },
} as const

/** The fault of a value of another type than a string, an array or an object. */
export function typeFault(kind: keyof typeof TYPE_FAULTS, value: unknown, loc: Loc): ValidationIssue {
  const repeated = repeatedParameter(value, loc)
  if (repeated) return repeated
  const { type, noun } = TYPE_FAULTS[kind]
  const hint =
    kind !== 'string' && holdsJson(value) ? `: send the ${noun} itself, not text that contains it` : ''
  return issue(type, loc, `Input should be a valid ${noun}${hint}`)
}

/** Several clients of models write a nested argument as a string of JSON. */
function holdsJson(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return false
  try {
    JSON.parse(value)
    return true
  } catch {
    return false
  }
}

const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['true', '1', 'yes', 'on'].map((text) => [text, true] as const),
  ...['false', '0', 'no', 'off'].map((text) => [text, false] as const),
])

/** Every spelling of a boolean in a query, `true` first; each in any case. */
export const booleanTexts: readonly string[] = [...BOOLEANS.keys()]

/** The boolean of a text; undefined where the text is none. */
export function readBoolean(text: string): boolean | undefined {
  return BOOLEANS.get(text.toLowerCase())
}

export function booleanFault(value: unknown, loc: Loc): ValidationIssue {
  const isText = typeof value === 'string' && isUrlEncoded(loc) && readBoolean(value) === undefined
  if (isText) return issue('bool_parsing', loc, 'Input should be true or false')
  return (
    repeatedParameter(value, loc) ??
    issue('bool_type', loc, `Input should be true or false${withoutQuotes(value, readBoolean)}`)
  )
}

/** An amount as people write it is told its unit: what it would be read as is a hundredth, or a hundred times as much. */
const inMinorUnits = 'Input should be an amount in minor units, an integer: $49.00 is 4900'

export function numberFault({ kind, isAmount }: NumberNode, value: unknown, loc: Loc): ValidationIssue {
  const repeated = repeatedParameter(value, loc)
  if (repeated !== undefined) return repeated
  const prefix = kind === 'integer' ? 'int' : 'float'
  if (isAmount) return issue(`${prefix}_type`, loc, inMinorUnits)
  const noun = kind === 'integer' ? 'integer' : 'number'
  if (typeof value === 'string' && isUrlEncoded(loc)) {
    const digits = /^-?\d+$/.test(value)
    if (digits && !Number.isSafeInteger(Number(value))) {
      const msg = 'Unable to parse input string as an integer, exceeded maximum size'
      return issue('int_parsing_size', loc, msg)
    }
    if (!digits) {
      const article = kind === 'integer' ? 'an integer' : 'a number'
      const msg = `Input should be a valid ${noun}, unable to parse string as ${article}`
      return issue(`${prefix}_parsing`, loc, msg)
    }
  }
  return issue(`${prefix}_type`, loc, `Input should be a valid ${noun}${withoutQuotes(value, readNumber)}`)
}

export function fractionFault({ isAmount }: NumberNode, loc: Loc): ValidationIssue {
  if (isAmount) return decimalsFault(loc)
  const msg = 'Input should be a valid integer, got a number with a fractional part'
  return issue('int_from_float', loc, msg)
}

/** Of an amount that was written with a decimal point. */
export function decimalsFault(loc: Loc): ValidationIssue {
  return issue('int_from_float', loc, inMinorUnits)
}

/** What is empty and optional was hardly meant to be empty. */
export function tellToLeaveOut(fault: ValidationIssue): void {
  fault.msg += '. It is empty: leave it out if it has no value'
}

function withoutQuotes(value: unknown, read: (text: string) => unknown): string {
  const isQuoted = typeof value === 'string' && read(value.trim()) !== undefined
  return isQuoted ? ', without quotation marks' : ''
}

function readNumber(text: string): number | undefined {
  return /^[-+]?\d+(?:\.\d+)?$/.test(text) ? Number(text) : undefined
}

/** In these sections every value arrives as text, unless it came through MCP. */
function isUrlEncoded(loc: Loc): boolean {
  return loc[0] !== 'body'
}

function repeatedParameter(value: unknown, loc: Loc): ValidationIssue | undefined {
  if (!Array.isArray(value) || !isUrlEncoded(loc) || loc.length !== 2) return undefined
  return issue('value_error', loc, 'Parameter should be given only once')
}
