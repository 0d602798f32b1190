import { METHODS } from 'node:http'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Problem, ValidationProblem } from '../../../contract/problem.ts'
import { isObject } from '../../../schema/schema-node.ts'
import { bodyDepthMax, type ParsedJson, parseJson } from '../../../schema/strict-json.ts'
import type { ProtocolAnswer } from './protocol-answer.ts'
import { rpcRefusal } from './rpc-refusal.ts'

export type EndpointOptions<Caller> = {
  path: string
  /** Where the API is reached from outside: besides loopback, the only host that may be named. */
  publicUrl: string
  /** On whose behalf the request is answered; throws what refuses it. */
  callerOf: (exchange: Exchange) => Promise<Caller>
  edge: EndpointEdge
  /** `message` is whatever JSON was sent. */
  answer: (headers: Record<string, string>, message: unknown, caller: Caller) => Promise<ProtocolAnswer>
}

/** A request, and where its answer goes. */
export type Exchange = { readonly request: FastifyRequest; readonly reply: FastifyReply }

/** How requests are let in, read and refused, by the HTTP server. */
export type EndpointEdge = {
  readonly head: Readonly<Record<string, string>>
  /** Looks at the key, if there is one, before a byte of the body is read; throws what answers those who are not let in. */
  receive(request: FastifyRequest, reply: FastifyReply): Promise<Uint8Array>
  /** Whether the caller says that it takes an answer of this media type. */
  takes(request: FastifyRequest, type: string): boolean
  /** Packs an answer for a client that unpacks it; null: it goes out as it is. */
  compress(
    answered: Answered & { body: string },
    acceptEncoding: string | undefined,
  ): Promise<Answered> | null
  refuse(request: FastifyRequest, reply: FastifyReply, error: unknown): void
}

type Answered = {
  status: number
  headers: Readonly<Record<string, string>>
  body: string | Uint8Array
}

/** All that can reach a server: Node closes the connection of who asks for a tunnel. */
const otherMethods = METHODS.filter((method) => method !== 'POST' && method !== 'CONNECT')

/** The protocol answers a message in either of these, so that a client has to take both. */
const answerTypes = ['application/json', 'text/event-stream'] as const

/** Streamable HTTP without sessions: one message in, its answer out, and nothing for pages that a browser was led to. */
export function mountEndpoint<Caller>(app: FastifyInstance, options: EndpointOptions<Caller>): void {
  const isAllowed = hostGuard(options.publicUrl)
  const { edge } = options
  for (const method of otherMethods) if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  app.route({
    method: otherMethods,
    url: options.path,
    config: { isRefusal: true, rewriteRefusal: rpcRefusal },
    // Before Fastify finds fault with the body of a method.
    onRequest: refuseMethod,
    handler: refuseMethod,
  })
  async function refuseMethod(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    edge.refuse(request, reply, new Problem('method_not_allowed', { headers: { allow: 'POST' } }))
    return reply
  }
  // Answered in the hook before bodies are read: this endpoint reads its own.
  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    try {
      if (!isAllowed(request)) throw new Problem('origin_not_allowed')
      const body = await edge.receive(request, reply)
      const caller = await options.callerOf({ request, reply })
      const message = messageOf(body)
      if (!answerTypes.every((type) => edge.takes(request, type))) throw notAcceptable()
      const answer = await options.answer(headersOf(request), message, caller)
      reply.headers(edge.head)
      return send(reply, isList(message) ? await packed(request, edge, answer) : answer)
    } catch (error) {
      edge.refuse(request, reply, error)
      return reply
    }
  }
  app.route({
    method: 'POST',
    url: options.path,
    config: { rewriteRefusal: rpcRefusal },
    onRequest: serve,
    handler: serve,
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
function hostGuard(publicUrl: string): (request: FastifyRequest) => boolean {
  const allowed = [new URL(publicUrl).hostname, 'localhost', '127.0.0.1', '[::1]']
  return ({ headers }) =>
    validateHostHeader(headers.host, allowed).ok && validateOriginHeader(headers.origin, allowed).ok
}

/** The headers that the protocol speaks of. What is accepted has been judged, where the protocol's package would look for words. */
function headersOf(request: FastifyRequest): Record<string, string> {
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

async function packed(
  request: FastifyRequest,
  edge: EndpointEdge,
  answer: ProtocolAnswer,
): Promise<Sendable> {
  const { status, body } = answer
  if (typeof body !== 'string') return answer
  const packing = edge.compress({ status, headers: {}, body }, request.headers['accept-encoding'])
  return packing ? { ...answer, ...(await packing) } : answer
}

type Sendable = Omit<ProtocolAnswer, 'body'> & {
  headers?: Readonly<Record<string, string>>
  body: ProtocolAnswer['body'] | Uint8Array
}

function send(reply: FastifyReply, { status, type, headers = {}, body }: Sendable): FastifyReply {
  reply.headers(headers)
  if (type !== null) reply.header('content-type', type)
  if (typeof body === 'string' || body instanceof Uint8Array) return reply.code(status).send(body)
  reply.header('x-accel-buffering', 'no')
  return reply.code(status).send(Readable.fromWeb(body as ReadableStream)) // the same class under its other name
}
