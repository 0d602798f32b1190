import { randomUUID } from 'node:crypto'
import fc, { type Arbitrary } from 'fast-check'
import type { Operation } from '../../src/contract/operation.ts'
import { ValidationProblem } from '../../src/contract/problem.ts'
import { refusalSchema } from '../../src/contract/problem-schemas.ts'
import { refusalsOf } from '../../src/contract/refusals.ts'
import { isObject, readSchema } from '../../src/contract/schema-node.ts'
import { parseJson } from '../../src/contract/strict-json.ts'
import { type Tool, toolsOf } from '../../src/contract/tools.ts'
import { compileSchema, type Validator } from '../../src/contract/validation.ts'
import type { ValidationIssue } from '../../src/contract/validation-issues.ts'
import { type ArgumentsReader, createArgumentsReader } from '../../src/platform/calls/arguments.ts'
import { bytesOf } from '../../src/platform/calls/content.ts'
import { junk, nearOf, validOf } from './arbitraries.ts'
import { anonymousBody, memberOf, type Sent } from './client.ts'
import { aliases, type Ids, unknownIdLike, type World } from './fixtures.ts'
import { bodyOverRest } from './matrix.ts'

/** Ids to try: one's own, those that must look as if they never existed, and text that must never come back. */
export type IdPool = {
  happy: readonly Happy[]
  foreign: readonly Ids[]
  bodyIds: { own: Ids; foreign: readonly Ids[] }
  key: string
  canaries: readonly string[]
}

/** Own objects in a state in which the operation can succeed, and the body it succeeds with. */
export type Happy = { ids: Ids; body: unknown }

/** `happy` succeeds, unless what else may be sent is refused, or its object has been used up. */
type Kind = 'happy' | 'valid' | 'near' | 'junk'

type Input = {
  kind: Kind
  path: Record<string, string>
  query: Record<string, unknown>
  headers: Record<string, string>
  body: unknown
}

export type FuzzCounts = {
  inputs: number
  accepted: number
  refused: number
  tools: number
  /** Answered with 2xx. */
  succeeded: number
}

type FuzzOptions = { pool: IdPool; runs: number; seed: number; counts: FuzzCounts }

const bodyBytesSent = 200_000
/** A counterexample is made smaller for so long. */
const shrinkMs = 20_000

/** Sends generated requests; answers the smallest one that was answered wrongly, and how, or null. */
export async function fuzzOperation(
  world: World,
  operation: Operation,
  options: FuzzOptions,
): Promise<string | null> {
  const { pool, runs, seed } = options
  const counts = { inputs: 0, accepted: 0, refused: 0, tools: 0, succeeded: 0 }
  const probe = createProbe(world, operation, { pool, counts })
  let shrinkUntilMs = Number.POSITIVE_INFINITY
  const property = fc.asyncProperty(inputOf(operation, pool), async (input) => {
    if (performance.now() > shrinkUntilMs) return
    const fault = await probe(input)
    if (fault === null) return
    shrinkUntilMs = Math.min(shrinkUntilMs, performance.now() + shrinkMs)
    throw new Error(fault)
  })
  const details = await fc.check(property, { numRuns: runs, seed })
  for (const name of countNames) options.counts[name] += counts[name]
  // Whoever only ever hears no has tried little.
  if (!details.failed) return counts.succeeded > 0 ? null : `it never succeeded (seed ${seed})`
  const fault = details.errorInstance instanceof Error ? details.errorInstance.message : 'failed'
  return `${fault} on ${JSON.stringify(details.counterexample?.[0])} (seed ${seed})`.slice(0, 3000)
}

const countNames = ['inputs', 'accepted', 'refused', 'tools', 'succeeded'] as const

const kinds = ['happy', 'happy', 'valid', 'valid', 'near', 'near', 'near', 'junk'] as const

function inputOf(operation: Operation, pool: IdPool): Arbitrary<Input> {
  return fc.constantFrom(...kinds).chain((kind): Arbitrary<Input> => {
    if (kind === 'happy') return happyInputOf(operation, pool)
    return fc.record({
      kind: fc.constant(kind),
      path: pathOf(pool, kind),
      query: sectionOf(operation.query, kind).map((value) => (isObject(value) ? value : { odd: value })),
      headers: sectionOf(operation.headers, 'valid').map((section) => ({
        ...headerTexts(section),
        ...freshKey(operation),
      })),
      body: operation.body ? bodyOf(operation.body, kind, pool) : fc.constant(undefined),
    })
  })
}

/** What succeeds, with up to two members of its body as anything that the schema takes. */
function happyInputOf(operation: Operation, pool: IdPool): Arbitrary<Input> {
  const { body } = operation
  const isOneObject = body !== undefined && readSchema(body).kind === 'object'
  return fc
    .record({
      from: fc.constantFrom(...pool.happy),
      others: isOneObject ? bodyOf(body, 'valid', pool) : fc.constant({}),
      turns: fc.array(fc.nat({ max: 1000 }), { maxLength: 2 }),
      query: sectionOf(operation.query, 'valid').map((value) => (isObject(value) ? value : {})),
    })
    .map(({ from, others, turns, query }) => ({
      kind: 'happy' as const,
      path: { ...from.ids },
      query,
      headers: freshKey(operation),
      body: isObject(from.body) ? { ...from.body, ...someOf(others, turns) } : from.body,
    }))
}

function someOf(value: unknown, turns: readonly number[]): Record<string, unknown> {
  const entries = Object.entries(isObject(value) ? value : {})
  return Object.fromEntries(turns.flatMap((turn) => entries.slice(turn % entries.length).slice(0, 1)))
}

function freshKey({ requiresIdempotencyKey }: Operation): Record<string, string> {
  return requiresIdempotencyKey ? { 'idempotency-key': randomUUID() } : {}
}

function pathOf(pool: IdPool, kind: string): Arbitrary<Record<string, string>> {
  const own = pool.happy.map(({ ids }) => ids)
  const unknown = pool.foreign.map((ids) =>
    Object.fromEntries(Object.entries(ids).map(([name, id]) => [name, unknownIdLike(id)])),
  )
  const known = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...own) },
    { weight: 2, arbitrary: fc.constantFrom(...pool.foreign) },
    { weight: 1, arbitrary: fc.constantFrom(...unknown) },
  )
  const names = Object.keys(own[0] ?? {})
  if (kind === 'valid' || names.length === 0) return known.map((ids) => ({ ...ids }))
  const text = junk.map(
    (value) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? '')).slice(0, 500) || 'x',
  )
  const odd = fc
    .tuple(known, fc.constantFrom(...names), text)
    .map(([ids, name, value]) => ({ ...ids, [name]: value }))
  return fc.oneof({ weight: 3, arbitrary: known.map((ids) => ({ ...ids })) }, { weight: 1, arbitrary: odd })
}

function sectionOf(schema: unknown, kind: string): Arbitrary<unknown> {
  if (schema === undefined)
    return kind === 'junk' ? fc.constantFrom<unknown>({}, { unknown: 'x' }) : fc.constant({})
  const valid = validOf(readSchema(schema), () => undefined)
  if (kind === 'valid') return valid
  return kind === 'near'
    ? fc.oneof(valid, nearOf(valid))
    : fc.oneof(nearOf(valid), fc.dictionary(fc.string({ minLength: 1 }), junk, { maxKeys: 3 }))
}

function bodyOf(schema: unknown, kind: string, { bodyIds, happy }: IdPool): Arbitrary<unknown> {
  const valid = validOf(readSchema(schema), (name) => {
    const own = bodyIds.own[aliases[name] ?? name]
    if (own === undefined) return undefined
    const others = bodyIds.foreign.map((ids) => ids[aliases[name] ?? name] ?? '')
    return fc.constantFrom(own, own, own, own, unknownIdLike(own), ...others)
  })
  if (kind === 'valid') return valid
  const near = fc.oneof(nearOf(valid), nearOf(fc.constantFrom(...happy).map(({ body }) => body)))
  return kind === 'near' ? near : junk
}

function headerTexts(section: unknown): Record<string, string> {
  const entries = Object.entries(isObject(section) ? section : {})
  return Object.fromEntries(
    entries.map(([name, value]) => [name.replaceAll('_', '-'), headerText(String(value))]),
  )
}

type Verdict = { issues: readonly ValidationIssue[] } | 'valid'

/** What a client can put into a header at all. */
function headerText(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]/g, '').trim()
}

/** Sends one input and holds the answer against what the contract says; answers the fault, or null. */
function createProbe(
  world: World,
  operation: Operation,
  { pool, counts }: Pick<FuzzOptions, 'pool' | 'counts'>,
) {
  const read = createArgumentsReader(operation)
  const schemas = createAnswerCheck(operation)
  const [tool] = toolsOf([operation])
  return async (input: Input): Promise<string | null> => {
    const bytes = input.body === undefined ? undefined : JSON.stringify(input.body)
    if (bytes !== undefined && Buffer.byteLength(bytes) > bodyBytesSent) return null
    counts.inputs += 1
    const query = queryText(input.query)
    const verdict = judge(read, input, query, operation.content ? null : bytes)
    if ((input.kind === 'valid' || input.kind === 'happy') && verdict !== 'valid')
      return `our validator refuses what the schema allows: ${JSON.stringify(verdict)}`
    const sentBody = bodyOverRest(operation, input.body)
    const sent = await world.client.rest({
      method: operation.method,
      path: `${restPath(operation, input.path)}${query}`,
      key: pool.key,
      ...sentBody,
      headers: { ...input.headers, ...sentBody.headers },
    })
    if (verdict === 'valid') counts.accepted += 1
    else counts.refused += 1
    if (sent.status < 300) counts.succeeded += 1
    const fault = answerFault(sent, verdict, schemas) ?? leakFault(operation, sent, input, pool)
    if (fault !== null) return `${fault}: ${sent.status} ${sent.text.slice(0, 500)}`
    return tool && operation.mcp && counts.inputs % 4 === 0
      ? toolFault(world, operation, { tool, input, sent, verdict, pool, counts })
      : null
  }
}

/** `bytes` is null where the body is a file, which is only read later. */
function judge(
  read: ArgumentsReader,
  input: Input,
  query: string,
  bytes: string | undefined | null,
): Verdict {
  const parsed =
    bytes === undefined || bytes === null
      ? { ok: true as const, value: undefined }
      : parseJson(Buffer.from(bytes))
  try {
    read({
      path: input.path,
      query: parseQuery(query),
      headers: input.headers,
      body: parsed.ok ? parsed.value : undefined,
      bodyError: parsed.ok ? null : parsed.error,
      rawBody: new Uint8Array(),
      ...(bytes === null ? { content: bytesOf('') } : {}),
      coerce: true,
    })
    return 'valid'
  } catch (error) {
    if (error instanceof ValidationProblem) return { issues: error.issues }
    throw error
  }
}

function restPath(operation: Operation, path: Record<string, string>): string {
  return operation.path.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) =>
    encodeURIComponent((path[name] ?? '').toWellFormed()),
  )
}

function queryText(query: Record<string, unknown>): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value]
      .flat()
      .map(
        (each) => `${encode(name)}=${encode(typeof each === 'object' ? JSON.stringify(each) : String(each))}`,
      ),
  )
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

function parseQuery(text: string): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text.slice(1))) {
    const known = query[name]
    query[name] = known === undefined ? value : [known, value].flat()
  }
  return query
}

type AnswerCheck = (sent: Sent) => string | null

/** Whether a status and its body are declared. */
function createAnswerCheck(operation: Operation): AnswerCheck {
  const refusals = refusalsOf(operation)
  const validators = new Map<number, Validator<unknown>[]>()
  function validatorsOf(status: number): Validator<unknown>[] {
    const known = validators.get(status)
    if (known) return known
    const declared = operation.responses[status]
    const made = [
      ...(declared ? [compileSchema(declared, 'body')] : []),
      ...(refusals.has(status) || status === 422 ? [compileSchema(refusalSchema(status), 'body')] : []),
    ]
    validators.set(status, made)
    return made
  }
  return ({ status, body }) => {
    const possible = validatorsOf(status)
    if (possible.length === 0) return 'a status that is not declared'
    if (!possible.some((validator) => validator.check(body))) {
      return `outside the schema of ${status}: ${JSON.stringify(possible[0]?.errors(body).slice(0, 3))}`
    }
    const code = memberOf(memberOf(body, 'detail'), 'code')
    const codes: readonly string[] = refusals.get(status) ?? []
    return typeof code === 'string' && !codes.includes(code) ? `the code ${code} is not declared` : null
  }
}

function answerFault(sent: Sent, verdict: Verdict, check: AnswerCheck): string | null {
  if (sent.status >= 500) return 'the server failed'
  const detail = memberOf(sent.body, 'detail')
  if (verdict !== 'valid') {
    if (sent.status !== 422)
      return `accepted what the schema refuses (${JSON.stringify(verdict.issues.slice(0, 2))})`
    if (JSON.stringify(detail) !== JSON.stringify(verdict.issues))
      return `named other faults than ${JSON.stringify(verdict.issues.slice(0, 3))}`
    return null
  }
  if (sent.status === 422 && Array.isArray(detail)) {
    // The domain may still refuse; it has these two words for it.
    const types = detail.map((issue) => String(memberOf(issue, 'type')))
    if (types.some((type) => type !== 'value_error' && type !== 'missing'))
      return 'refused what the schema allows'
  }
  return check(sent)
}

function leakFault(operation: Operation, sent: Sent, input: Input, pool: IdPool): string | null {
  const canary = pool.canaries.find((text) => sent.text.includes(text))
  if (canary !== undefined) return `showed another tenant's "${canary}"`
  const foreign = [...pool.foreign, ...pool.bodyIds.foreign].flatMap((ids) => Object.values(ids))
  // Who declines pays with nothing, so a payment method named beside it is not looked at.
  const isDeclined =
    operation.id === 'v1_approve_purchase_intent' && memberOf(input.body, 'approve') === false
  const asked = JSON.stringify([input.path, isDeclined ? null : input.body]) ?? ''
  const named = foreign.find((id) => asked.includes(id))
  return named !== undefined && sent.status < 300 ? `took the id ${named} of another tenant` : null
}

type ToolProbe = { tool: Tool; input: Input; sent: Sent; verdict: Verdict; pool: IdPool; counts: FuzzCounts }

/** The same input as a tool call, where it can be written as one. A refusal must be word for word that of REST. */
async function toolFault(world: World, operation: Operation, probe: ToolProbe): Promise<string | null> {
  const { tool, input, sent, verdict, pool, counts } = probe
  // What is no text can be sent as a file and cannot be an argument.
  if (operation.content && typeof input.body !== 'string') return null
  const args = toolArguments(tool, input)
  // Text that REST turns into numbers is refused over MCP, and what is no JSON for us never reaches a tool.
  const isTextual = (input.kind === 'near' || input.kind === 'junk') && Object.keys(input.query).length > 0
  if (args === null || isTextual || Object.keys(input.headers).length > 0) return null
  // A message is two levels deeper than its arguments.
  if (!parseJson(Buffer.from(JSON.stringify({ params: { arguments: args } }))).ok) return null
  counts.tools += 1
  const answer = await world.client.tool(operation.id, args, pool.key)
  if (answer.status >= 500) return `the tool failed: ${answer.text.slice(0, 300)}`
  const isSame = anonymousBody(answer.body) === anonymousBody(sent.body)
  if (verdict !== 'valid' && !isSame)
    return `MCP answered ${answer.text.slice(0, 400)}, REST ${sent.text.slice(0, 400)}`
  // A call that may change something can meet another state the second time.
  const param = String(memberOf(memberOf(sent.body, 'detail'), 'param'))
  const isSteady = operation.method === 'GET' || (sent.status === 404 && param in input.path)
  if (isSteady && answer.status !== sent.status)
    return `MCP answered ${answer.text.slice(0, 300)}, REST ${sent.status}`
  return null
}

function toolArguments(tool: Tool, input: Input): Record<string, unknown> | null {
  if (tool.body === 'fields' && !isObject(input.body)) return null
  const fields = tool.body === 'fields' && isObject(input.body) ? input.body : {}
  const misplaced = Object.keys(fields).some((name) => (tool.sections.get(name) ?? 'body') !== 'body')
  const unknown = Object.keys(input.query).some((name) => tool.sections.get(name) !== 'query')
  if (misplaced || unknown) return null
  const whole = tool.body === 'whole' && input.body !== undefined ? { body: input.body } : {}
  return { ...input.path, ...input.query, ...fields, ...whole }
}
