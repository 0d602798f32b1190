import { isDeepStrictEqual } from 'node:util'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { operations as allOperations, product } from '../../src/composition.ts'
import { openApiDocument } from '../../src/contract/openapi.ts'
import type { OperationFacts } from '../../src/contract/operation.ts'
import { toolsOf } from '../../src/contract/tools.ts'
import { isObject } from '../../src/schema/schema-node.ts'

/** An answer as it came over the wire. */
export type WireAnswer = {
  method: string
  /** With or without a query. */
  path: string
  status: number
  header: (name: string) => string | null | undefined
  /** The body read as JSON; undefined when it is none. */
  body: unknown
}

/** Compares answers with the published documents. Each function answers the fault, or null. */
export type Documented = {
  answer(answer: WireAnswer): string | null
  /** The answer of a tool: the body of REST as text, for a success as structure, too, with the status that REST would have sent. */
  tool(name: string, result: ToolResult): string | null
}

/** A result as it came over the wire. */
export type ToolResult = {
  content?: { text?: string }[]
  structuredContent?: unknown
  isError?: boolean
  _meta?: { http_status?: number }
}

let documentedProduct: Documented | undefined

/** For the operations of the product. */
export function documented(): Documented {
  documentedProduct ??= createDocumented(allOperations)
  return documentedProduct
}

/** Throws when an answer is not the one that the document promises. */
export function assertDocumented(fault: string | null): void {
  if (fault !== null) throw new Error(`not as documented: ${fault}`)
}

/**
 * Reads only the generated OpenAPI document and the published tools, and compiles them with a validator that the product does
 * not use, so that the declarations of operations and the documents of clients must agree.
 */
export function createDocumented(operations: readonly OperationFacts[]): Documented {
  const document: Member = closed(JSON.parse(JSON.stringify(openApiDocument(operations, product))))
  const ajv = createAjv()
  ajv.addSchema(document, 'openapi')
  const compiled = new Map<string, ValidateFunction>()
  function faultAt(pointer: string, value: unknown): string | null {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi#${pointer}` })
    compiled.set(pointer, validate)
    return validate(value) ? null : `${pointer} refuses ${describe(validate)}`
  }

  const routes = routesOf(document)
  const tools = new Map(toolsOf(operations).map(({ definition }) => [definition.name, definition]))
  const outputs = new Map<string, ValidateFunction>()

  function answer(given: WireAnswer): string | null {
    const path = given.path.split('?')[0] ?? ''
    const route = routes.find(({ method, pattern }) => method === given.method && pattern.test(path))
    if (!route) return refusedElsewhere(path, given, faultAt)
    const about = `${route.operationId} ${given.status}`
    const response = route.responses[given.status]
    if (!response) return `${about} is no status of this operation`
    const fault =
      headerFault(document, response.shown, given, faultAt) ??
      bodyFault(response.pointer, response.shown, given, faultAt)
    return fault === null ? null : `${about}: ${fault}`
  }

  function tool(name: string, result: ToolResult): string | null {
    const status = Number(result._meta?.http_status)
    const body: unknown = JSON.parse(result.content?.[0]?.text ?? 'null')
    const shape = shapeFault(result, status, body)
    if (shape !== null) return `the tool ${name} ${status}: ${shape}`
    const definition = tools.get(name)
    if (!definition) return `${name} is no tool`
    const route = routes.find(({ operationId }) => operationId === name)
    const response = route?.responses[status]
    if (!response) return `${name} ${status} is no status of this operation`
    const overRest = faultAt(`${response.pointer}/content/application~1json/schema`, body)
    if (overRest !== null) return `the tool ${name}: ${overRest}`
    if (status >= 400) return null
    const validate = outputs.get(name) ?? ajv.compile(closed({ ...definition.outputSchema }))
    outputs.set(name, validate)
    return validate(body) ? null : `the output schema of ${name} refuses ${describe(validate)}`
  }
  return { answer, tool }
}

/** Only a success has structure, and it equals the text. */
function shapeFault(
  { structuredContent, isError }: ToolResult,
  status: number,
  body: unknown,
): string | null {
  if (status >= 400) {
    if (isError !== true) return 'a refusal that is no error'
    return structuredContent === undefined ? null : 'a refusal with structure'
  }
  if (isError !== undefined) return 'a success that is an error'
  return isDeepStrictEqual(structuredContent, body) ? null : 'its structure is not its text'
}

type Member = Record<string, unknown>

/** Clients accept members that no document shows, but the document of this version shows every member that it answers. */
function closed(schema: Member): Member {
  const inner = Object.entries(schema).map(([name, each]) => [
    name,
    Array.isArray(each)
      ? each.map((one) => (isObject(one) ? closed(one) : one))
      : isObject(each)
        ? closed(each)
        : each,
  ])
  const isOpen =
    schema.type === 'object' && isObject(schema.properties) && !('additionalProperties' in schema)
  return { ...Object.fromEntries(inner), ...(isOpen ? { additionalProperties: false } : {}) }
}
type FaultAt = (pointer: string, value: unknown) => string | null

function createAjv(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true })
  addFormats.default(ajv)
  // Clients accept values that they do not know, but the document of this version lists every value that it answers.
  ajv.addKeyword({
    keyword: 'x-extensible-enum',
    schemaType: 'array',
    validate: (values: unknown[], value: unknown) => typeof value !== 'string' || values.includes(value),
  })
  // Not the product's own check: URLs in answers are normalized, so this one can be strict.
  ajv.addFormat('country', /^[A-Z]{2}$/)
  ajv.addFormat('currency', /^[A-Z]{3}$/)
  ajv.addFormat('phone', /^\+[1-9]\d{6,14}$/)
  ajv.addFormat('mcc', /^\d{4}$/)
  ajv.addFormat('locale', /^[a-z]{2,3}(-[A-Za-z0-9]{1,8})*$/i)
  ajv.addFormat('timezone', /^[A-Za-z][A-Za-z0-9_+/-]*$/)
  ajv.addFormat('domain', /^([a-z0-9-]+\.)+[a-z0-9-]+$/)
  ajv.addFormat('visible-ascii', /^[\x21-\x7e]+$/)
  ajv.addFormat('https-url', (text) => URL.parse(text)?.protocol === 'https:')
  ajv.addFormat('endpoint-url', (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''))
  return ajv
}

function describe({ errors }: ValidateFunction): string {
  return (errors ?? [])
    .map(({ instancePath, message }) => `${instancePath || 'the value'}: ${message}`)
    .join(', ')
}

type Route = {
  operationId: string
  method: string
  pattern: RegExp
  /** Each with where it stands in the document. */
  responses: Record<string, { shown: Member; pointer: string }>
}

/** A path that is written out comes before one that a parameter would match. */
function routesOf(document: Member): Route[] {
  const parameters = (path: string) => path.split('{').length
  const paths = Object.entries(membersOf(document.paths))
  const sorted = paths.sort(([a], [b]) => parameters(a) - parameters(b))
  return sorted.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      operationId: isObject(operation) ? String(operation.operationId) : '',
      method: method.toUpperCase(),
      pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
      responses: responsesOf(
        document,
        `/paths/${path.replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')}/${method}/responses`,
        isObject(operation) ? operation.responses : undefined,
      ),
    })),
  )
}

/** Operations share those that they have in common. */
function responsesOf(document: Member, pointer: string, responses: unknown): Route['responses'] {
  const shared = membersOf(membersOf(document.components).responses)
  return Object.fromEntries(
    Object.entries(membersOf(responses)).map(([status, response]) => {
      const [, name] = /^#\/components\/responses\/(.+)$/.exec(String(response.$ref)) ?? []
      return [
        status,
        name === undefined
          ? { shown: response, pointer: `${pointer}/${status}` }
          : { shown: shared[name] ?? {}, pointer: `/components/responses/${name}` },
      ]
    }),
  )
}

function membersOf(value: unknown): Record<string, Member> {
  const entries = Object.entries(isObject(value) ? value : {})
  return Object.fromEntries(entries.map(([name, member]) => [name, isObject(member) ? member : {}]))
}

/** Headers with a meaning for clients. They may come only where the document shows them. */
const meaningful = [
  'Request-Id',
  'Idempotent-Replayed',
  'Retry-After',
  'X-RateLimit-Limit',
  'X-RateLimit-Window',
  'WWW-Authenticate',
  'Location',
  'Allow',
]

function headerFault(
  document: Member,
  response: Member,
  { header }: WireAnswer,
  faultAt: FaultAt,
): string | null {
  const shared = membersOf(isObject(document.components) ? document.components.headers : undefined)
  const shown = new Map<string, Member>(
    Object.entries(membersOf(response.headers)).map(([name, { $ref }]) => {
      const component = String($ref).split('/').at(-1) ?? ''
      return [name, { ...shared[component], component }]
    }),
  )
  for (const [name, { required, schema, component }] of shown) {
    const text = header(name)
    if (text === null || text === undefined) {
      if (required === true) return `the header ${name} is missing`
      continue
    }
    const isNumber = isObject(schema) && schema.type === 'integer'
    const fault = faultAt(`/components/headers/${component}/schema`, isNumber ? Number(text) : text)
    if (fault !== null) return `the header ${name}: ${fault}`
  }
  const odd = meaningful.find((name) => !shown.has(name) && (header(name) ?? null) !== null)
  return odd === undefined ? null : `the header ${odd} is not shown in the document`
}

function bodyFault(pointer: string, response: Member, given: WireAnswer, faultAt: FaultAt): string | null {
  const type = (given.header('content-type') ?? '').split(';')[0] ?? ''
  if (response.content === undefined) return given.body ? 'a body that is not shown' : null
  if (membersOf(response.content)[type] === undefined) return `the content type "${type}" is not shown`
  if (type !== 'application/json') return null
  if (given.body === undefined) return 'the body is no JSON'
  return faultAt(`${pointer}/content/application~1json/schema`, given.body)
}

/** At a path without an operation, refusals still have one of the two shapes, and an id. MCP has messages of its own. */
function refusedElsewhere(path: string, given: WireAnswer, faultAt: FaultAt): string | null {
  if (given.status < 400 || path === '/readyz' || path === '/healthz') return null
  if (path === '/mcp/v1') return refusedMessage(given)
  if (!given.header('request-id')) return `${given.method} ${given.status}: the header Request-Id is missing`
  const name = given.status === 422 ? 'HTTPValidationError' : 'Problem'
  return faultAt(`/components/schemas/${name}`, given.body)
}

/** The refusal of a whole request of the protocol is an error of JSON-RPC. */
function refusedMessage({ status, body }: WireAnswer): string | null {
  const error = isObject(body) && body.jsonrpc === '2.0' ? body.error : undefined
  const isError = isObject(error) && Number.isInteger(error.code) && typeof error.message === 'string'
  return isError ? null : `/mcp/v1 ${status} is no error of JSON-RPC`
}
