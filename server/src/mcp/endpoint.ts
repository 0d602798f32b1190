import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { Problem, ValidationProblem } from '../contract/problem.ts'
import { isObject } from '../contract/schema-node.ts'
import { bodyDepthMax, type ParsedJson, parseJson } from '../contract/strict-json.ts'
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
  refuse(request: FastifyRequest, reply: FastifyReply, error: unknown): void
}

const otherMethods: HTTPMethods[] = ['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS']

/** Streamable HTTP without sessions: one message in, its answer out, and nothing for pages that a browser was led to. */
export function mountEndpoint<Caller>(app: FastifyInstance, options: EndpointOptions<Caller>): void {
  const isAllowed = hostGuard(options.publicUrl)
  const { edge } = options
  app.route({
    method: otherMethods,
    url: options.path,
    config: { isRefusal: true, rewriteRefusal: rpcRefusal },
    handler: async (request, reply) => {
      edge.refuse(request, reply, new Problem('method_not_allowed', { headers: { allow: 'POST' } }))
      return reply
    },
  })
  // Answered in the hook before bodies are read: this endpoint reads its own.
  async function serve(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    try {
      if (!isAllowed(request)) throw new Problem('origin_not_allowed')
      const body = await edge.receive(request, reply)
      const caller = await options.callerOf({ request, reply })
      const answer = await options.answer(headersOf(request), messageOf(body), caller)
      return send(reply.headers(edge.head), answer)
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

/** The headers that the protocol speaks of. */
function headersOf(request: FastifyRequest): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(request.headers)) {
    const isSpokenOf = name.startsWith('mcp-') || name === 'accept' || name === 'content-type'
    if (isSpokenOf && typeof value === 'string') headers[name] = value
  }
  return headers
}

function send(reply: FastifyReply, { status, type, body }: ProtocolAnswer): FastifyReply {
  if (type !== null) reply.header('content-type', type)
  if (typeof body === 'string') return reply.code(status).send(body)
  reply.header('x-accel-buffering', 'no')
  return reply.code(status).send(Readable.fromWeb(body as ReadableStream)) // the same class under its other name
}
