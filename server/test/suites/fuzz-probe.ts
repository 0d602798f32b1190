import { product } from '../../src/composition.ts'
import { type Operation, standsOn } from '../../src/contract/operation.ts'
import { ValidationProblem } from '../../src/contract/problem.ts'
import { refusalSchemas } from '../../src/contract/problem-schemas.ts'
import { refusalsOf } from '../../src/contract/refusals.ts'
import { type Tool, toolsOf } from '../../src/contract/tools.ts'
import { visibleJson } from '../../src/core/visible-text.ts'
import { type ArgumentsReader, createArgumentsReader } from '../../src/platform/calls/arguments.ts'
import { bytesOf } from '../../src/platform/calls/content.ts'
import { isObject } from '../../src/schema/schema-node.ts'
import { parseJson } from '../../src/schema/strict-json.ts'
import { compileSchema, type Validator } from '../../src/schema/validation.ts'
import type { ValidationIssue } from '../../src/schema/value-faults.ts'
import { bodyBytesMax } from '../../src/surfaces/http/edge.ts'
import { anonymousBody, memberOf, type Sent } from './client.ts'
import type { Ids, World } from './fixtures.ts'
import { bodyOverRest } from './matrix.ts'

/** Ids to try: the caller's own, those that must look as if they never existed, and text that must never come back. */
export type IdPool = {
  happy: readonly Happy[]
  foreign: readonly Ids[]
  bodyIds: { own: Ids; foreign: readonly Ids[] }
  key: string
  canaries: readonly string[]
}

/** The caller's own objects in a state in which the operation can succeed, and the body that it succeeds with. */
export type Happy = { ids: Ids; body: unknown }

/** `happy` succeeds, unless an optional member of it is refused, or its object has been used up. */
type Kind = 'happy' | 'valid' | 'near' | 'junk' | 'rule'

export type Input = {
  kind: Kind
  /** Made by a rule: its one oddity, and whether the schema's keywords allow that. */
  at?: string | undefined
  isTaken?: boolean | null | undefined
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
  byRule: number
  /** Made by a rule, and larger than any body may be: no schema sees those. */
  tooLarge: number
}

export function noCounts(): FuzzCounts {
  return { inputs: 0, accepted: 0, refused: 0, tools: 0, succeeded: 0, byRule: 0, tooLarge: 0 }
}

/** Sends one input; answers the fault, or null. */
export type Probe = (input: Input) => Promise<string | null>

type Verdict = { issues: readonly ValidationIssue[] } | 'valid'

/** Sends one input and compares the answer with the contract. Answers the fault, or null. */
export function createProbe(
  world: World,
  operation: Operation,
  { pool, counts }: { pool: IdPool; counts: FuzzCounts },
): Probe {
  const read = createArgumentsReader(operation)
  const schemas = createAnswerCheck(operation)
  const [tool] = toolsOf([operation])
  return async (input) => {
    const bytes = input.body === undefined ? undefined : JSON.stringify(input.body)
    if (bytes !== undefined && Buffer.byteLength(bytes) > bodyBytesMax) {
      counts.tooLarge += 1
      return null
    }
    counts.inputs += 1
    if (input.kind === 'rule') counts.byRule += 1
    const query = queryText(input.query)
    const verdict = judge(read, input, query, operation.content ? null : bytes)
    if ((input.kind === 'valid' || input.kind === 'happy') && verdict !== 'valid')
      return `our validator refuses what the schema allows: ${JSON.stringify(verdict)}`
    if (input.isTaken !== undefined && input.isTaken !== null && input.isTaken !== (verdict === 'valid'))
      return `our validator ${verdict === 'valid' ? 'takes' : 'refuses'} it, other than the words of the schema: ${JSON.stringify(verdict)}`
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
    return tool && standsOn(operation, 'mcp') && counts.inputs % 4 === 0
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

const refusalSchema = refusalSchemas(product.problems)

type AnswerCheck = (sent: Sent) => string | null

/** Whether a status and its body are declared. */
function createAnswerCheck(operation: Operation): AnswerCheck {
  const refusals = refusalsOf(operation, product.problems)
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
    // The name of a member is shown as people see it.
    if (JSON.stringify(detail) !== visibleJson(JSON.stringify(verdict.issues)))
      return `named other faults than ${JSON.stringify(verdict.issues.slice(0, 3))}`
    return null
  }
  if (sent.status === 422 && Array.isArray(detail)) {
    // The domain may still refuse, with one of these two statuses.
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
  // A caller that declines pays nothing, so a payment method that it names is not read.
  const isDeclined =
    operation.id === 'v1_approve_purchase_intent' && memberOf(input.body, 'approve') === false
  // What callers without a key may read is named in a path by anybody.
  const path = operation.auth === 'optional' ? null : input.path
  const asked = JSON.stringify([path, isDeclined ? null : input.body]) ?? ''
  const named = foreign.find((id) => asked.includes(id))
  return named !== undefined && sent.status < 300 ? `took the id ${named} of another tenant` : null
}

type ToolProbe = { tool: Tool; input: Input; sent: Sent; verdict: Verdict; pool: IdPool; counts: FuzzCounts }

/** The same input as a tool call, where it can be written as one. A refusal must be word for word that of REST. */
async function toolFault(world: World, operation: Operation, probe: ToolProbe): Promise<string | null> {
  const { tool, input, sent, verdict, pool, counts } = probe
  // Bytes that are no text can be sent as a file and cannot be an argument.
  if (operation.content && typeof input.body !== 'string') return null
  const args = toolArguments(tool, input)
  // Text that REST turns into numbers is refused over MCP, and a body that we do not take as JSON never reaches a tool.
  const isTextual = ['near', 'junk', 'rule'].includes(input.kind) && Object.keys(input.query).length > 0
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
