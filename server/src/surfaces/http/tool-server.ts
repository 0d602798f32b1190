import { isObject } from '../../schema/schema-node.ts'
import { parseJson } from '../../schema/strict-json.ts'

/** Tools over JSON-RPC at one address: a request for each call, and nothing to remember between them. */
type ToolServer = {
  readonly name: string
  readonly capabilities: object
  tools(): readonly object[]
}

export type RpcId = string | number

export type RpcSaid = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export type ToolCall = {
  readonly kind: 'call'
  readonly id: RpcId
  readonly name: string
  readonly given: Readonly<Record<string, unknown>>
  /** What the message says beside the arguments, by the protocol's `_meta`. */
  readonly meta: Readonly<Record<string, unknown>>
}

const protocolVersion = '2025-06-18'

/** Reads one message; `said`: it is answered, and no tool is called. */
export function readRpc(
  raw: Uint8Array,
  server: ToolServer,
): ToolCall | { readonly kind: 'said'; readonly said: RpcSaid } {
  const say = (said: RpcSaid) => ({ kind: 'said', said }) as const
  const parsed = parseJson(raw, { depthMax: 34 })
  if (!parsed.ok) return say(rpcError(null, { code: -32700, message: parsed.error.msg }))
  const message = parsed.value
  if (!isObject(message) || message.jsonrpc !== '2.0' || typeof message.method !== 'string')
    return say(rpcError(null, { code: -32600, message: 'Send one JSON-RPC 2.0 request.' }))
  const { id, method } = message
  const params = message.params ?? {}
  if (id === undefined) return say({ status: 202, headers: {}, body: '' })
  if (typeof id !== 'string' && typeof id !== 'number')
    return say(rpcError(null, { code: -32600, message: 'The id must be a string or a number.' }))
  if (!isObject(params)) return say(rpcError(id, { code: -32602, message: 'The params must be an object.' }))
  switch (method) {
    case 'initialize': {
      const { name, capabilities } = server
      return say(rpcResult(id, { protocolVersion, capabilities, serverInfo: { name, version: '1' } }))
    }
    case 'ping':
      return say(rpcResult(id, {}))
    case 'tools/list':
      return say(rpcResult(id, { tools: server.tools() }))
    case 'tools/call': {
      const { name, _meta: meta } = params
      const given = params.arguments ?? {}
      if (!isObject(given))
        return say(
          rpcError(id, {
            code: -32602,
            message: 'The arguments must be an object: send it itself, not as text.',
          }),
        )
      return {
        kind: 'call',
        id,
        name: typeof name === 'string' ? name : '',
        given,
        meta: isObject(meta) ? meta : isObject(message._meta) ? message._meta : {},
      }
    }
    default:
      return say(rpcError(id, { code: -32601, message: 'There is no such method.' }))
  }
}

export function rpcResult(id: RpcId, value: object): RpcSaid {
  return { status: 200, headers: {}, body: JSON.stringify({ jsonrpc: '2.0', id, result: value }) }
}

type RpcError = { readonly code: number; readonly message: string; readonly data?: object }

export function rpcError(id: RpcId | null, error: RpcError): RpcSaid {
  return { status: 200, headers: {}, body: JSON.stringify({ jsonrpc: '2.0', id, error }) }
}
