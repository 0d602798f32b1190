import {
  type CallToolResult,
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { documentVersion } from '../contract/openapi.ts'
import type { ToolDefinition } from '../contract/tools.ts'

/** The protocol revisions spoken, oldest first; older clients are offered the first. */
export const protocolVersions = ['2025-11-25', '2026-07-28'] as const

export const serverInfo = { name: 'prokura', title: 'Prokura', version: documentVersion }

const instructions =
  'Tools are the operations of the Prokura public v1 API; arguments and results are those of its REST interface. Amounts are minor ' +
  'units of the currency. Give every call that changes something an idempotency_key, and repeat a call with the same key when its ' +
  'outcome is unknown.'

/** The list is the same for everybody and changes only with a release. */
const listFreshMs = 300_000

export type CallTool = (name: string, args: Record<string, unknown>) => Promise<CallToolResult | null>

export type ProtocolHandler = (request: Request, message: unknown, callTool: CallTool) => Promise<Response>

/**
 * Answers one message, of either revision, by a server that lives as long as the message: there are no sessions, so that any process
 * answers any request. `callTool` answers null for a tool that does not exist.
 */
export function createProtocolHandler(definitions: ToolDefinition[], onBug: (error: unknown) => void): ProtocolHandler {
  function openServer(callTool: CallTool): Server {
    const server = new Server(serverInfo, {
      capabilities: { tools: {} },
      instructions,
      supportedProtocolVersions: [...protocolVersions],
      cacheHints: { 'tools/list': { ttlMs: listFreshMs, cacheScope: 'public' } },
    })
    server.setRequestHandler('tools/list', () => ({ tools: definitions }))
    server.setRequestHandler('tools/call', async ({ params }) => {
      const result = await callTool(params.name, params.arguments ?? {})
      if (result === null) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool')
      return result
    })
    return server
  }

  return async function handle(request, message, callTool) {
    if (await isLegacyRequest(request, message)) return await answerLegacy(openServer(callTool), request, message)
    const modern = createMcpHandler(() => openServer(callTool), { legacy: 'reject', onerror: reportBug(onBug) })
    return await modern.fetch(request, { parsedBody: message })
  }
}

/** As plain JSON: an event stream would say nothing that the one answer does not. */
async function answerLegacy(server: Server, request: Request, message: unknown): Promise<Response> {
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  try {
    return await transport.handleRequest(request, { parsedBody: message })
  } finally {
    await server.close()
  }
}

/** The package reports refused requests through the same door; those are the caller's doing. */
function reportBug(onBug: (error: unknown) => void): (error: Error) => void {
  return (error) => {
    if (error.name === 'TypeError' || error.name === 'RangeError') onBug(error)
  }
}
