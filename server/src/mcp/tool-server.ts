import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { documentVersion } from '../contract/openapi.ts'
import type { ToolDefinition } from '../contract/tools.ts'
import { noSuchTool, protocolVersions } from './protocol.ts'
import { type ToolReply, toolResult } from './tool-result.ts'

export const serverInfo = { name: 'prokura', title: 'Prokura', version: documentVersion }

const instructions =
  'Tools are the operations of the Prokura public v1 API; arguments and results are those of its REST interface. Amounts are minor ' +
  'units of the currency. Give every call that changes something an idempotency_key, and repeat a call with the same key when its ' +
  'outcome is unknown.'

/** The list is the same for everybody and changes only with a release. */
const listFreshMs = 300_000

/** Calls a tool on somebody's behalf; null when there is no such tool. */
export type CallTool = (name: string, args: Record<string, unknown>) => Promise<ToolReply | null>

/** A server of tools and nothing else. */
export function openToolServer(
  definitions: ToolDefinition[],
  callerOf: (requestId: unknown) => CallTool | undefined,
): Server {
  const server = new Server(serverInfo, {
    capabilities: { tools: {} },
    instructions,
    supportedProtocolVersions: [...protocolVersions],
    cacheHints: { 'tools/list': { ttlMs: listFreshMs, cacheScope: 'public' } },
  })
  server.setRequestHandler('tools/list', () => ({ tools: definitions }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const reply = await callerOf(mcpReq.id)?.(params.name, params.arguments ?? {})
    if (!reply) throw new ProtocolError(ProtocolErrorCode.InvalidParams, noSuchTool)
    return toolResult(reply)
  })
  return server
}
