import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { Problem, ValidationProblem } from '../contract/problem.ts'
import { isObject } from '../contract/schema-node.ts'
import { bodyDepthMax, type ParsedJson, parseJson } from '../contract/strict-json.ts'
import { problemOf } from '../platform/calls/refusal.ts'
import type { ProtocolAnswer } from './protocol.ts'

export type EndpointOptions = {
  path: string
  /** Where the API is reached from outside: besides loopback, the only host that may be named. */
  publicUrl: string
  /** Whether a key that was sent opens anything. */
  isKnownKey: (authorization: string) => Promise<boolean>
  onBug: (error: unknown) => void
  answer: (
    headers: Record<string, string>,
    message: object,
    request: FastifyRequest,
  ) => Promise<ProtocolAnswer>
}

const otherMethods: HTTPMethods[] = ['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS']

/** Streamable HTTP without sessions: one message in, its answer out, and nothing for pages that a browser was led to. */
export function mountEndpoint(app: FastifyInstance, options: EndpointOptions): void {
  const isAllowed = hostGuard(options.publicUrl)
  app.route({
    method: otherMethods,
    url: options.path,
    handler: async (request, reply) =>
      refuse(request, reply, new Problem('method_not_allowed', { headers: { allow: 'POST' } })),
  })
  app.post(options.path, async (request, reply) => {
    if (!isAllowed(request)) return refuse(request, reply, new Problem('origin_not_allowed'))
    const { authorization } = request.headers
    const stranger = await refusalOfKey(authorization, options)
    if (stranger) return refuse(request, reply, stranger)
    const parsed = parseMessage(request.body instanceof Uint8Array ? request.body : new Uint8Array())
    if (!parsed.ok) return refuse(request, reply, new ValidationProblem([parsed.error]))
    if (typeof parsed.value !== 'object' || parsed.value === null || Array.isArray(parsed.value)) {
      return refuse(request, reply, new Problem('bad_request', { message: 'Send one JSON-RPC message.' }))
    }
    return send(reply, await options.answer(headersOf(request), parsed.value, request))
  })
}

async function refusalOfKey(
  authorization: string | undefined,
  { isKnownKey, onBug }: EndpointOptions,
): Promise<Problem | null> {
  if (authorization === undefined) return null
  try {
    if (await isKnownKey(authorization)) return null
    return new Problem('unauthorized', { headers: { 'www-authenticate': 'Bearer' } })
  } catch (error) {
    const problem = problemOf(error)
    if (problem.code !== 'busy') onBug(error)
    return problem
  }
}

/** Arguments lie two levels deep in a message, and may be as deep as a body over REST. */
function parseMessage(bytes: Uint8Array): ParsedJson {
  const parsed = parseJson(bytes)
  if (parsed.ok) return parsed
  const deeper = parseJson(bytes, { depthMax: bodyDepthMax + 2 })
  return deeper.ok && isToolCall(deeper.value) ? deeper : parsed
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
  reply.header('cache-control', 'no-cache').header('x-accel-buffering', 'no')
  return reply.code(status).send(Readable.fromWeb(body as ReadableStream)) // the same class under its other name
}

function refuse(
  request: FastifyRequest,
  reply: FastifyReply,
  problem: Problem | ValidationProblem,
): FastifyReply {
  const isProblem = problem instanceof Problem
  return reply
    .code(isProblem ? problem.status : 422)
    .headers(isProblem ? (problem.options.headers ?? {}) : {})
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(problem.body(request.id)))
}
