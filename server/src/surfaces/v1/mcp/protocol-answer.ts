import { serverInfo } from './introduction.ts'
import type { RpcId, RpcRequest } from './message.ts'
import { metaKeys } from './request-meta.ts'
import type { Revision } from './revisions.ts'
import type { RpcError } from './rpc-error.ts'

/** The answer to a message, ready to be sent. A stream holds all that there is to say. */
export type ProtocolAnswer = {
  status: number
  type: 'application/json' | 'text/event-stream'
  /** Empty where there is nothing to answer. */
  body: string
}

/** What a method answers. */
export type RpcResult = {
  /** An object as JSON, so that what is large is not read and written once more. */
  body: string
  meta?: Readonly<Record<string, unknown>>
  /** For how long the client alone may keep it, in revisions that say so. */
  freshMs?: number
  /** Said before the result, which makes the answer a stream. */
  notice?: { method: string; params: object }
}

/** To what nobody waits for. */
export const accepted: ProtocolAnswer = { status: 202, type: 'application/json', body: '' }

export function answered({ id }: RpcRequest, { hasGreeting }: Revision, result: RpcResult): ProtocolAnswer {
  const { body, meta, freshMs, notice } = result
  const cached = freshMs === undefined ? {} : { ttlMs: freshMs, cacheScope: 'private' }
  const added = hasGreeting
    ? meta && { _meta: meta }
    : { resultType: 'complete', ...cached, _meta: { ...meta, [metaKeys.serverInfo]: serverInfo } }
  const text = rpcText(id, `"result":${joined(body, JSON.stringify(added ?? {}))}`)
  if (!notice) return { status: 200, type: 'application/json', body: text }
  const events = [JSON.stringify({ jsonrpc: '2.0', ...notice }), text]
  return {
    status: 200,
    type: 'text/event-stream',
    body: events.map((each) => `event: message\ndata: ${each}\n\n`).join(''),
  }
}

/** Two objects as JSON, as one. */
function joined(one: string, other: string): string {
  if (other === '{}') return one
  return one === '{}' ? other : `${one.slice(0, -1)},${other.slice(1)}`
}

export function refused(id: RpcId | null, { code, message, status, data }: RpcError): ProtocolAnswer {
  const error = JSON.stringify({ code, message, data })
  return { status, type: 'application/json', body: rpcText(id, `"error":${error}`) }
}

function rpcText(id: RpcId | null, outcome: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},${outcome}}`
}
