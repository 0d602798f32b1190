import type { TObject } from 'typebox'
import { type Args, type Operation, takesIdempotencyKey } from '../../contract/operation.ts'
import { ValidationProblem } from '../../contract/problem.ts'
import { Closed } from '../../contract/schemas.ts'
import { coerceQuery, compileSchema, type Validator } from '../../schema/validation.ts'
import type { ValidationIssue } from '../../schema/value-faults.ts'
import { bytesOf, noContent, openContent } from './content.ts'

/** The sections of a request, as a transport read them. */
export type RawSections = {
  path: Record<string, unknown>
  query: Record<string, unknown>
  /** Lower-case names. Over REST each value is text; over MCP it is whatever the argument was. */
  headers: Readonly<Record<string, unknown>>
  /** Undefined when no body was sent. */
  body: unknown
  /** Why the bytes of the body are not a JSON document that we accept. */
  bodyError: ValidationIssue | null
  rawBody: Uint8Array
  /** The body, where it is a file and arrived as one; tools carry it as text. */
  content?: AsyncIterable<Uint8Array>
  /** REST carries paths and queries as text; tools carry them as JSON and coerce nothing. */
  coerce: boolean
}

export type AnyArgs = Args<unknown, unknown, unknown, unknown>

type ReadArguments = {
  args: AnyArgs
  idempotencyKey: string | null
}

/**
 * Checks all sections of an operation's requests at once; each validator is compiled by the first request that needs it. `isSigned`: a
 * signature replaces the key.
 */
export type ArgumentsReader = (raw: RawSections, isSigned?: boolean) => ReadArguments

const nothing = Closed({})
const nothingIn = {
  path: compileSchema(nothing, 'path'),
  query: compileSchema(nothing, 'query'),
  body: compileSchema(nothing, 'body'),
}
const noBytes = new Uint8Array()

export function createArgumentsReader(operation: Operation): ArgumentsReader {
  const path: Validator<unknown> = operation.params ? compileSchema(operation.params, 'path') : nothingIn.path
  const query: Validator<unknown> = operation.query
    ? compileSchema(operation.query, 'query')
    : nothingIn.query
  const headers = operation.headers ? compileSchema(operation.headers, 'header') : null
  const bodyOfKeys: Validator<unknown> = operation.body
    ? compileSchema(operation.body, 'body')
    : nothingIn.body
  const bodyOfSigners = operation.signedBody ? compileSchema(operation.signedBody, 'body') : bodyOfKeys
  const headerNames = Object.keys(operation.headers?.properties ?? {})
  const takesBody = operation.body !== undefined && operation.bodyOptional !== true
  const takesKey = takesIdempotencyKey(operation)

  function readPath(raw: RawSections, issues: ValidationIssue[]): Record<string, unknown> {
    if (!operation.params && isEmpty(raw.path)) return raw.path
    const values =
      raw.coerce && operation.params ? coerceQuery(operation.params, raw.path as never) : raw.path
    if (raw.coerce) issues.push(...refusedNul('path', values))
    collect(issues, path, values)
    return values
  }

  function readQuery(raw: RawSections, issues: ValidationIssue[]): Record<string, unknown> {
    if (!operation.query && isEmpty(raw.query)) return raw.query
    const values = raw.coerce
      ? coerceQuery(operation.query ?? nothing, withoutMode(raw.query) as never)
      : (query.read(raw.query) as typeof raw.query) // an object stays one
    if (raw.coerce) issues.push(...refusedNul('query', values))
    collect(issues, query, values)
    return values
  }

  return (raw, isSigned = false) => {
    // guard signature-has-its-form: a signed answer has every field of its form, and none of a key's
    const body = isSigned ? bodyOfSigners : bodyOfKeys
    const issues: ValidationIssue[] = []
    const rawPath = readPath(raw, issues)
    const rawQuery = readQuery(raw, issues)
    const headerValues = headers ? pickHeaders(headerNames, raw.headers) : noHeaders
    if (headers) collect(issues, headers, headerValues)
    const bodySent = raw.content ? '' : takesBody ? raw.body : (raw.body ?? {})
    const bodyValue = body.read(bodySent)
    const keyHeader = raw.headers['idempotency-key'] ?? undefined
    const idempotencyKey = takesKey ? readIdempotencyKey(keyHeader, bodyValue, issues) : null
    if (operation.requiresIdempotencyKey && keyHeader === undefined) {
      issues.push({ type: 'missing', loc: ['header', 'idempotency-key'], msg: 'Field required' })
    }
    if (raw.bodyError) issues.push(raw.bodyError)
    else if (bodyValue === undefined) issues.push({ type: 'missing', loc: ['body'], msg: 'Field required' })
    else collect(issues, body, bodyValue)
    if (issues.length > 0) throw new ValidationProblem(issues)
    const args = {
      path: rawPath,
      query: rawQuery,
      headers: headerValues,
      body: bodyValue,
      rawBody: raw.rawBody ?? noBytes,
      content: operation.content ? openContent(raw.content ?? bytesOf(String(bodyValue))) : noContent,
    }
    return { args, idempotencyKey }
  }
}

export type QueryReader = (query: Record<string, unknown>) => Record<string, unknown>

/** Reads the query of what is no operation by the same rules; throws the 422. */
export function readerOfQuery(schema: TObject): QueryReader {
  const validator: Validator<unknown> = compileSchema(schema, 'query')
  return (query) => {
    const values = coerceQuery(schema, withoutMode(query) as never)
    const issues = refusedNul('query', values)
    collect(issues, validator, values)
    if (issues.length > 0) throw new ValidationProblem(issues)
    return values
  }
}

/** Signatures are sent in headers, and a header is text. */
export function textOnly(headers: RawSections['headers']): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : undefined]),
  )
}

const noHeaders = {}

function isEmpty(values: Record<string, unknown>): boolean {
  for (const _ in values) return false
  return true
}

/** A percent-encoded NUL reaches us without any JSON scan, and the database cannot hold it. */
function refusedNul(section: 'path' | 'query', values: Record<string, unknown>): ValidationIssue[] {
  const holds = (value: unknown) => typeof value === 'string' && value.includes('\0')
  return Object.entries(values)
    .filter(([, value]) => (Array.isArray(value) ? value.some(holds) : holds(value)))
    .map(([name]) => ({
      type: 'value_error',
      loc: [section, name],
      msg: 'Value error, must not contain the NUL character',
    }))
}

function collect(issues: ValidationIssue[], validator: Validator<unknown>, value: unknown): void {
  if (!validator.check(value)) issues.push(...validator.errors(value))
}

/** A `mode` in the query is a hint that cannot override the key; it is ignored wherever it stands. */
function withoutMode(query: Record<string, unknown>): Record<string, unknown> {
  if (!('mode' in query)) return query
  const { mode: _, ...rest } = query
  return rest
}

function pickHeaders(names: readonly string[], headers: RawSections['headers']): Record<string, unknown> {
  const picked: Record<string, unknown> = {}
  for (const name of names) {
    // Over MCP a header is an argument, and null means that it is missing.
    const value = headers[name.replaceAll('_', '-')] ?? undefined
    if (value !== undefined) picked[name] = value
  }
  return picked
}

const keyLength = 'an idempotency key must have 1 to 255 visible ASCII characters'

/** The header, or the body field of the same meaning where the operation has one. If both are sent, they must agree. */
function readIdempotencyKey(header: unknown, body: unknown, issues: ValidationIssue[]): string | null {
  if (header !== undefined && (typeof header !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(header))) {
    issues.push({ type: 'value_error', loc: ['header', 'idempotency-key'], msg: `Value error, ${keyLength}` })
    return null
  }
  const inBody =
    typeof body === 'object' && body !== null && 'idempotency_key' in body ? body.idempotency_key : undefined
  if (typeof inBody !== 'string') return header ?? null
  if (header !== undefined && header !== inBody) {
    const msg = 'Value error, the Idempotency-Key header and the field idempotency_key must be the same key'
    issues.push({ type: 'value_error', loc: ['body', 'idempotency_key'], msg })
  }
  return inBody
}
