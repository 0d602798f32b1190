import { Problem, ValidationProblem } from '../../../contract/problem.ts'
import { isObject } from '../../../schema/schema-node.ts'
import { bodyDepthMax, type ParsedJson, parseJson } from '../../../schema/strict-json.ts'
import type { Dialect } from '../../http/dialect.ts'
import type { Edge } from '../../http/edge.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Http } from '../../http/surface.ts'
import { hostGuard } from './host-guard.ts'
import type { Protocol } from './protocol.ts'
import type { ProtocolAnswer } from './protocol-answer.ts'
import { type McpHeaders, repeatingHeaders } from './request-meta.ts'
import type { ToolCaller } from './tool-caller.ts'

type EndpointOptions = {
  path: `/${string}`
  /** How it says what refuses a whole request. */
  dialect: Dialect
  /** Where the API is reached from outside: besides loopback, the only host that may be named. */
  publicUrl: string
  /** Looks at the key, if there is one, before a byte of the body is read; throws what answers those who are not let in. */
  receive: (exchange: Exchange) => Promise<Uint8Array>
  /** On whose behalf the request is answered; throws what refuses it. */
  callerOf: (exchange: Exchange) => Promise<ToolCaller>
  answer: Protocol
}

/** The protocol answers a message in either of these, so that a client has to take both. */
const answerTypes = ['application/json', 'text/event-stream'] as const

/** Streamable HTTP without sessions: one message in, its answer out, and nothing for pages that a browser was led to. */
export function mountEndpoint({ route, edge }: Http, options: EndpointOptions): void {
  const isAllowed = hostGuard(options.publicUrl)
  route({
    methods: ['POST'],
    path: options.path,
    dialect: options.dialect,
    async serve(exchange) {
      try {
        if (!isAllowed(exchange.request.headers)) throw new Problem('origin_not_allowed')
        const body = await options.receive(exchange)
        const caller = await options.callerOf(exchange)
        const message = messageOf(body)
        if (!answerTypes.every((type) => edge.takes(exchange, type))) throw notAcceptable()
        const answer = await options.answer(headersOf(exchange), message, caller)
        send(exchange, edge, isList(message) ? await packed(exchange, edge, answer) : answer)
      } catch (error) {
        edge.refuse(exchange, error)
      }
    },
  })
}

function notAcceptable(): Problem {
  const message = `Send the header "Accept: ${answerTypes.join(', ')}". The answer can come in either of the two.`
  return new Problem('not_acceptable', { message })
}

function messageOf(body: Uint8Array): unknown {
  const parsed = parseMessage(body)
  if (!parsed.ok) throw new ValidationProblem([parsed.error])
  return parsed.value
}

/** Arguments lie two levels deep in a message, three in one of a batch, and may be as deep as a body over REST. */
function parseMessage(bytes: Uint8Array): ParsedJson {
  const parsed = parseJson(bytes)
  if (parsed.ok) return parsed
  const call = parseJson(bytes, { depthMax: bodyDepthMax + 2 })
  if (call.ok) return isToolCall(call.value) || isBatchOfCalls(call.value) ? call : parsed
  const batch = parseJson(bytes, { depthMax: bodyDepthMax + 3 })
  return batch.ok && isBatchOfCalls(batch.value) ? batch : parsed
}

function isBatchOfCalls(message: unknown): boolean {
  return Array.isArray(message) && message.every(isToolCall)
}

function isToolCall(message: unknown): boolean {
  return isObject(message) && isObject(message.params) && isObject(message.params.arguments)
}

/** The headers that the protocol speaks of. */
function headersOf({ request }: Exchange): McpHeaders {
  const headers: Record<string, string> = {}
  for (const name of repeatingHeaders) {
    const value = request.headers[name]
    if (typeof value === 'string') headers[name] = value
  }
  return headers
}

/** A list of tools holds no secret, alone of all large answers: what a tool answers may hold one, so it is never packed. */
function isList(message: unknown): boolean {
  return isObject(message) && message.method === 'tools/list'
}

async function packed({ request }: Exchange, edge: Edge, answer: ProtocolAnswer): Promise<Sendable> {
  const { status, body } = answer
  const packing = edge.compress({ status, headers: {}, body }, request.headers['accept-encoding'])
  return packing ? { ...answer, ...(await packing) } : answer
}

type Sendable = Omit<ProtocolAnswer, 'body'> & {
  headers?: Readonly<Record<string, string>>
  body: string | Uint8Array
}

function send(exchange: Exchange, edge: Edge, { status, type, headers = {}, body }: Sendable): void {
  edge.write(exchange, { status, headers: { ...headers, 'content-type': type }, body })
}
