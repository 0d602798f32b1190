import { pipeline, Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server'
import { Problem, ValidationProblem } from '../../../contract/problem.ts'
import { isObject } from '../../../schema/schema-node.ts'
import { bodyDepthMax, type ParsedJson, parseJson } from '../../../schema/strict-json.ts'
import type { Edge } from '../../http/edge.ts'
import type { Exchange } from '../../http/exchange.ts'
import type { Http } from '../../http/surface.ts'
import type { ProtocolAnswer } from './protocol-answer.ts'
import { rpcRefusal } from './rpc-refusal.ts'

export type EndpointOptions<Caller> = {
  path: `/${string}`
  /** Where the API is reached from outside: besides loopback, the only host that may be named. */
  publicUrl: string
  /** Looks at the key, if there is one, before a byte of the body is read; throws what answers those who are not let in. */
  receive: (exchange: Exchange) => Promise<Uint8Array>
  /** On whose behalf the request is answered; throws what refuses it. */
  callerOf: (exchange: Exchange) => Promise<Caller>
  /** `message` is whatever JSON was sent. */
  answer: (headers: Record<string, string>, message: unknown, caller: Caller) => Promise<ProtocolAnswer>
}

/** The protocol answers a message in either of these, so that a client has to take both. */
const answerTypes = ['application/json', 'text/event-stream'] as const

/** Streamable HTTP without sessions: one message in, its answer out, and nothing for pages that a browser was led to. */
export function mountEndpoint<Caller>({ route, edge }: Http, options: EndpointOptions<Caller>): void {
  const isAllowed = hostGuard(options.publicUrl)
  route({
    methods: ['POST'],
    path: options.path,
    dialect: rpcRefusal,
    async serve(exchange) {
      try {
        if (!isAllowed(exchange)) throw new Problem('origin_not_allowed')
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

/** Against DNS rebinding: a page that made a browser call us names its own host or origin. */
function hostGuard(publicUrl: string): (exchange: Exchange) => boolean {
  const allowed = [new URL(publicUrl).hostname, 'localhost', '127.0.0.1', '[::1]']
  return ({ request: { headers } }) =>
    validateHostHeader(headers.host, allowed).ok && validateOriginHeader(headers.origin, allowed).ok
}

/** The headers that the protocol speaks of. What is accepted has been judged, where the protocol's package would look for words. */
function headersOf({ request }: Exchange): Record<string, string> {
  const headers: Record<string, string> = { accept: answerTypes.join(', ') }
  for (const [name, value] of Object.entries(request.headers)) {
    const isSpokenOf = name.startsWith('mcp-') || name === 'content-type'
    if (isSpokenOf && typeof value === 'string') headers[name] = value
  }
  return headers
}

/** A list of tools holds no secret, alone of all large answers: what a tool answers may hold one, so it is never packed. */
function isList(message: unknown): boolean {
  return isObject(message) && message.method === 'tools/list'
}

async function packed({ request }: Exchange, edge: Edge, answer: ProtocolAnswer): Promise<Sendable> {
  const { status, body } = answer
  if (typeof body !== 'string') return answer
  const packing = edge.compress({ status, headers: {}, body }, request.headers['accept-encoding'])
  return packing ? { ...answer, ...(await packing) } : answer
}

type Sendable = Omit<ProtocolAnswer, 'body'> & {
  headers?: Readonly<Record<string, string>>
  body: ProtocolAnswer['body'] | Uint8Array
}

function send(exchange: Exchange, edge: Edge, { status, type, headers = {}, body }: Sendable): void {
  const typed = type === null ? headers : { ...headers, 'content-type': type }
  if (typeof body === 'string' || body instanceof Uint8Array) {
    edge.write(exchange, { status, headers: typed, body })
    return
  }
  const { id, response } = exchange
  response.writeHead(status, { ...edge.head, 'request-id': id, ...typed, 'x-accel-buffering': 'no' })
  // The same class under its other name. Who leaves in the middle wants nothing more.
  pipeline(Readable.fromWeb(body as ReadableStream), response, () => undefined)
}
