import {
  type CallToolResult,
  createMcpHandler,
  isJSONRPCRequest,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { documentVersion } from '../contract/openapi.ts'
import type { ToolDefinition } from '../contract/tools.ts'
import { type PlainRequest, shareServer } from './shared-server.ts'

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

/** An answer to one message, ready to be sent. */
export type ProtocolAnswer = { status: number; type: string | null; body: string }

export type ProtocolHandler = (
  headers: Readonly<Record<string, string>>,
  message: object,
  callTool: CallTool,
) => Promise<ProtocolAnswer>

/**
 * Answers one message, of either revision. There are no sessions, so that any process answers any request. `callTool` answers null for
 * a tool that does not exist.
 */
export function createProtocolHandler(
  definitions: ToolDefinition[],
  onBug: (error: unknown) => void,
): ProtocolHandler {
  function openServer(callToolOf: (requestId: unknown) => CallTool): Server {
    const server = new Server(serverInfo, {
      capabilities: { tools: {} },
      instructions,
      supportedProtocolVersions: [...protocolVersions],
      cacheHints: { 'tools/list': { ttlMs: listFreshMs, cacheScope: 'public' } },
    })
    server.setRequestHandler('tools/list', () => ({ tools: definitions }))
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const result = await callToolOf(mcpReq.id)(params.name, params.arguments ?? {})
      if (result === null) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool')
      return result
    })
    return server
  }

  const callers = new Map<unknown, CallTool>()
  const share = shareServer(openServer((requestId) => callers.get(requestId) ?? (async () => null)))

  return async function handle(headers, message, callTool) {
    if (isPlain(headers, message)) {
      const answer = await share(message, (number) => {
        callers.set(number, callTool)
        return () => callers.delete(number)
      })
      return { status: 200, type: 'application/json', body: JSON.stringify(answer) }
    }
    const request = new Request('http://127.0.0.1/mcp/v1', { method: 'POST', headers })
    if (await isLegacyRequest(request, message)) {
      return await read(
        await answerLegacy(
          openServer(() => callTool),
          request,
          message,
        ),
      )
    }
    const modern = createMcpHandler(() => openServer(() => callTool), {
      legacy: 'reject',
      onerror: reportBug(onBug),
    })
    return await read(await modern.fetch(request, { parsedBody: message }))
  }
}

const plainMethods: ReadonlySet<unknown> = new Set(['tools/call', 'tools/list', 'ping'])

/** A well-formed request of the older revision, which carries no claim of the newer one. Everything else takes the long way. */
function isPlain(headers: Readonly<Record<string, string>>, message: object): message is PlainRequest {
  const { accept = '' } = headers
  if (headers['mcp-protocol-version'] !== protocolVersions[0]) return false
  if (!accept.includes('application/json') || !accept.includes('text/event-stream')) return false
  if (!isJSONRPCRequest(message) || !plainMethods.has(message.method)) return false
  return message.params === undefined || !('_meta' in message.params)
}

async function read(response: Response): Promise<ProtocolAnswer> {
  const body = response.body === null ? '' : await response.text()
  return { status: response.status, type: response.headers.get('content-type'), body }
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
