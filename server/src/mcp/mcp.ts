import { validateHostHeader, validateOriginHeader } from '@modelcontextprotocol/server'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { OperationFacts } from '../contract/operation.ts'
import { Problem, ValidationProblem } from '../contract/problem.ts'
import { parseJson } from '../contract/strict-json.ts'
import { splitArguments, type Tool, toolsOf } from '../contract/tools.ts'
import type { Id } from '../core/id.ts'
import type { CallReply, Dispatch } from '../platform/calls/dispatch.ts'
import { type CallTool, createProtocolHandler, protocolVersions, serverInfo } from './protocol.ts'
import { toolResult } from './tool-result.ts'

export type McpOptions = {
  operations: readonly OperationFacts[]
  dispatch: Dispatch
  /** Whether a key that was sent opens anything. */
  isKnownKey: (authorization: string) => Promise<boolean>
  /** Where the API is reached from outside: besides loopback, the only host that may be named. */
  publicUrl: string
  /** Once a tool call. */
  onCall: (request: FastifyRequest, operation: OperationFacts, answer: CallReply) => void
  onBug: (error: unknown) => void
  draining: AbortSignal
}

const path = '/mcp/v1'
const otherMethods: HTTPMethods[] = ['GET', 'DELETE', 'PUT', 'PATCH', 'HEAD', 'OPTIONS']

/** The MCP server, over Streamable HTTP without sessions, and its public manifest. */
export function registerMcp(app: FastifyInstance, options: McpOptions): void {
  const tools = toolsOf(options.operations)
  const definitions = tools.map(({ definition }) => definition)
  const manifest = JSON.stringify({
    name: serverInfo.name,
    version: serverInfo.version,
    protocol_versions: protocolVersions,
    tools: definitions,
  })
  const handle = createProtocolHandler(definitions, options.onBug)
  const operations = new Map(options.operations.map((operation) => [operation.id as string, operation]))
  const byName = new Map(
    tools.flatMap((tool) => {
      const operation = operations.get(tool.definition.name)
      return operation ? [[operation.id as string, { tool, operation }] as const] : []
    }),
  )
  const isAllowed = hostGuard(options.publicUrl)

  app.get(`${path}/manifest.json`, async (_request, reply) =>
    reply.type('application/json; charset=utf-8').header('access-control-allow-origin', '*').send(manifest),
  )
  app.route({
    method: otherMethods,
    url: path,
    handler: async (request, reply) =>
      refuse(request, reply, new Problem('method_not_allowed', { headers: { allow: 'POST' } })),
  })
  app.post(path, async (request, reply) => {
    if (!isAllowed(request)) return refuse(request, reply, new Problem('origin_not_allowed'))
    const { authorization } = request.headers
    if (authorization !== undefined && !(await options.isKnownKey(authorization))) {
      return refuse(
        request,
        reply,
        new Problem('unauthorized', { headers: { 'www-authenticate': 'Bearer' } }),
      )
    }
    const parsed = parseJson(request.body instanceof Uint8Array ? request.body : new Uint8Array())
    if (!parsed.ok) return refuse(request, reply, new ValidationProblem([parsed.error]))
    if (typeof parsed.value !== 'object' || parsed.value === null || Array.isArray(parsed.value)) {
      return refuse(request, reply, new Problem('bad_request', { message: 'Send one JSON-RPC message.' }))
    }
    const answer = await handle(headersOf(request), parsed.value, callerOf(request, byName, options))
    if (answer.type !== null) reply.header('content-type', answer.type)
    return reply.code(answer.status).send(answer.body)
  })
}

type Callable = { tool: Tool; operation: OperationFacts }

/** Runs tools through the same pipeline as REST, as the caller of this HTTP request. */
function callerOf(
  request: FastifyRequest,
  byName: ReadonlyMap<string, Callable>,
  options: McpOptions,
): CallTool {
  return async (name, given) => {
    const callable = byName.get(name)
    if (!callable) return null
    const { tool, operation } = callable
    const answer = await options.dispatch({
      ...splitArguments(tool, given),
      operationId: operation.id,
      authorization: request.headers.authorization,
      requestId: request.id as Id<'req'>, // made by the HTTP server's genReqId
      signal: options.draining,
      acceptsStream: false,
      bodyError: null,
      rawBody: new Uint8Array(),
      coerce: false,
    })
    options.onCall(request, operation, answer)
    return toolResult(answer)
  }
}

/** Against DNS rebinding: a page that made a browser call us names its own host or origin. */
function hostGuard(publicUrl: string): (request: FastifyRequest) => boolean {
  const allowed = [new URL(publicUrl).hostname, 'localhost', '127.0.0.1', '[::1]']
  return ({ headers }) =>
    validateHostHeader(headers.host, allowed).ok && validateOriginHeader(headers.origin, allowed).ok
}

const protocolHeaders = [
  'accept',
  'content-type',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'mcp-session-id',
]

/** The headers that the protocol speaks of. */
function headersOf(request: FastifyRequest): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const name of protocolHeaders) {
    const value = request.headers[name]
    if (typeof value === 'string') headers[name] = value
  }
  return headers
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
