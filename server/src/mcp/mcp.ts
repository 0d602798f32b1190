import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { OperationFacts } from '../contract/operation.ts'
import { splitArguments, type Tool, toolsOf } from '../contract/tools.ts'
import type { Id } from '../core/id.ts'
import { callerSignalOnUse } from '../platform/calls/caller-signal.ts'
import type { CallReply, Dispatch } from '../platform/calls/dispatch.ts'
import { type EndpointEdge, type Exchange, mountEndpoint } from './endpoint.ts'
import { createProtocol, protocolVersions } from './protocol.ts'
import { toolReply } from './tool-result.ts'
import { type CallTool, openToolServer, serverInfo } from './tool-server.ts'

export type McpOptions = {
  operations: readonly OperationFacts[]
  dispatch: Dispatch
  /** Whether a key that was sent opens anything. */
  isKnownKey: (authorization: string) => Promise<boolean>
  edge: EndpointEdge
  /** Mounts what is public and the same for everybody. */
  publish: (path: `/${string}`, document: string) => void
  /** Where the API is reached from outside: besides loopback, the only host that may be named. */
  publicUrl: string
  /** Once a tool call. */
  onCall: (request: FastifyRequest, operation: OperationFacts, answer: CallReply) => void
  onBug: (error: unknown) => void
  draining: AbortSignal
}

const path = '/mcp/v1'

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
  const operations = new Map(options.operations.map((operation) => [operation.id as string, operation]))
  const byName = new Map(
    tools.flatMap((tool) => {
      const operation = operations.get(tool.definition.name)
      return operation ? [[operation.id as string, { tool, operation }] as const] : []
    }),
  )
  const protocol = createProtocol<CallTool>({
    openServer: (callerOf) => openToolServer(definitions, callerOf),
    onBug: options.onBug,
    direct: { call: (call, name, args) => call(name, args), signature: serverInfo },
  })

  options.publish(`${path}/manifest.json`, manifest)
  mountEndpoint(app, {
    path,
    publicUrl: options.publicUrl,
    isKnownKey: options.isKnownKey,
    edge: options.edge,
    answer: (headers, message, exchange) =>
      protocol.answer(headers, message, callerOf(exchange, byName, options)),
  })
}

type Callable = { tool: Tool; operation: OperationFacts }

/** Runs tools through the same pipeline as REST, as the caller of this HTTP request. */
function callerOf(
  { request, reply }: Exchange,
  byName: ReadonlyMap<string, Callable>,
  options: McpOptions,
): CallTool {
  const signal = callerSignalOnUse(reply.raw, options.draining)
  return async (name, given) => {
    const callable = byName.get(name)
    if (!callable) return null
    const { tool, operation } = callable
    const answer = await options.dispatch({
      ...splitArguments(tool, given),
      operationId: operation.id,
      authorization: request.headers.authorization,
      requestId: request.id as Id<'req'>, // made by the HTTP server's genReqId
      signal,
      acceptsStream: false,
      accepts: null,
      bodyError: null,
      rawBody: new Uint8Array(),
      coerce: false,
    })
    options.onCall(request, operation, answer)
    return toolReply(answer)
  }
}
