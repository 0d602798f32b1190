import { ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import { documentVersion } from '../../../contract/openapi.ts'
import type { ListedTool } from '../../../contract/tools.ts'
import { noSuchTool } from './call-fault.ts'
import { protocolVersions } from './protocol.ts'
import { type ToolReply, toolResult } from './tool-result.ts'

export const serverInfo = { name: 'prokura', title: 'Prokura', version: documentVersion }

const instructions =
  'Prokura buys things for people, within limits that they set. To buy: find the profile with v1_list_profiles, call ' +
  'v1_create_purchase_intent with a new idempotency_key, then v1_get_purchase_intent until its status is succeeded, failed, declined or ' +
  'cancelled. Where next_action names a person, tell them and go on waiting: creating a second purchase intent buys twice. Amounts are ' +
  'integers in minor units of the currency: 1999 is $19.99. If the answer to a call is lost, make the same call again with the same ' +
  'idempotency_key. A refused call is an error result that says why; change what it names, or tell the person.'

/** The list of a caller changes with a release, and with what its key may do. */
const listFreshMs = 300_000

/** Calls a tool on somebody's behalf; null when there is no such tool. */
export type CallTool = (name: string, args: Record<string, unknown>) => Promise<ToolReply | null>

/** On whose behalf messages are answered. */
export type ToolCaller = {
  call: CallTool
  /** The tools that this caller may call, in an order that stays. */
  list: () => ListedTool[]
  /** Why the list is empty, and what to do about it; null: it is not. */
  whyNoTools: () => string | null
}

/** A server of tools and nothing else. */
export function openToolServer(callerOf: (requestId: unknown) => ToolCaller | undefined): Server {
  // Who is greeted has a server of his own, so that no request needs to be named.
  const whyNoTools = callerOf(undefined)?.whyNoTools() ?? null
  const server = new Server(serverInfo, {
    capabilities: { tools: {} },
    instructions: whyNoTools ?? instructions,
    supportedProtocolVersions: [...protocolVersions],
    cacheHints: { 'tools/list': { ttlMs: listFreshMs, cacheScope: 'private' } },
  })
  server.setRequestHandler('tools/list', (_, { mcpReq }) => ({ tools: callerOf(mcpReq.id)?.list() ?? [] }))
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const reply = await callerOf(mcpReq.id)?.call(params.name, params.arguments ?? {})
    if (!reply) throw new ProtocolError(ProtocolErrorCode.InvalidParams, noSuchTool(params.name))
    return toolResult(reply)
  })
  return server
}
