import {
  createMcpHandler,
  isLegacyRequest,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { introductionFor, serverInfo } from '../../../src/surfaces/v1/mcp/introduction.ts'
import { protocolVersions } from '../../../src/surfaces/v1/mcp/revisions.ts'
import type { ToolCaller } from '../../../src/surfaces/v1/mcp/tool-caller.ts'
import { toolResult } from '../../../src/surfaces/v1/mcp/tool-result.ts'

export type Spoken = { status: number; type: string | null; body: string }

/** The same tools behind the official package: a second opinion on what a message is answered. */
export async function answerOfPackage(
  headers: Readonly<Record<string, string>>,
  message: object,
  caller: ToolCaller,
): Promise<Spoken> {
  const request = new Request('http://127.0.0.1/mcp/v1', {
    method: 'POST',
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...headers,
    },
  })
  const response = (await isLegacyRequest(request, message))
    ? await answerOfOlder(request, message, caller)
    : await createMcpHandler(() => openServer(caller), { legacy: 'reject' }).fetch(request, {
        parsedBody: message,
      })
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    body: await response.text(),
  }
}

async function answerOfOlder(request: Request, message: object, caller: ToolCaller): Promise<Response> {
  const server = openServer(caller)
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true })
  await server.connect(transport)
  const response = await transport.handleRequest(request, { parsedBody: message })
  await server.close()
  return response
}

function openServer(caller: ToolCaller): Server {
  const server = new Server(serverInfo, {
    ...introductionFor(caller),
    supportedProtocolVersions: [...protocolVersions],
    cacheHints: { 'tools/list': { ttlMs: 300_000, cacheScope: 'private' } },
  })
  server.setRequestHandler('tools/list', () => ({ tools: caller.list().map((tool) => JSON.parse(tool)) }))
  server.setRequestHandler('tools/call', async ({ params: { name, arguments: args = {} } }) => {
    const reply = await caller.call(name, args)
    if (!reply) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'no such tool')
    const { body, meta } = toolResult(reply)
    return { ...JSON.parse(body), _meta: meta }
  })
  return server
}
