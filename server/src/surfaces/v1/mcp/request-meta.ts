import { isObject } from '../../../schema/schema-node.ts'
import type { RpcNotification, RpcRequest } from './message.ts'
import { RpcError, shown } from './rpc-error.ts'

/** The headers that the protocol speaks of, by their names in lower case. */
export type McpHeaders = Readonly<Record<string, string>>

/** The members of a `_meta` that the protocol has for itself. */
export const metaKeys = {
  revision: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
} as const

/**
 * The revision that the `_meta` of a message names. A request says there what its client can do, and may say who the client is; a
 * notification need not. What the client can do is not read further, since no tool asks its caller anything.
 */
export function revisionInMeta({ kind, meta }: RpcRequest | RpcNotification): string {
  const revision = meta[metaKeys.revision]
  if (typeof revision !== 'string')
    throw faultIn(metaKeys.revision, 'be a string: the protocol revision of the request')
  if (kind === 'notification') return revision
  if (!isObject(meta[metaKeys.clientCapabilities]))
    throw faultIn(metaKeys.clientCapabilities, 'be an object: {} where the client can do nothing special')
  const client = meta[metaKeys.clientInfo]
  if (client !== undefined && !isImplementation(client))
    throw faultIn(metaKeys.clientInfo, 'be an object with the strings "name" and "version", or be left out')
  return revision
}

/** What clients and servers say of themselves. */
export function isImplementation(value: unknown): boolean {
  return isObject(value) && typeof value.name === 'string' && typeof value.version === 'string'
}

function faultIn(key: string, rule: string): RpcError {
  return new RpcError('invalidParams', `The member ${shown(key)} of params._meta must ${rule}.`)
}

/** Headers that repeat what stands in the message, for proxies that read no bodies. */
export const repeatingHeaders = ['mcp-protocol-version', 'mcp-method', 'mcp-name'] as const

/** Refuses a header that says something else than the message. */
export function shouldRepeat(
  headers: McpHeaders,
  name: (typeof repeatingHeaders)[number],
  told: string,
  { isRequired }: { isRequired: boolean },
): void {
  const header = headers[name]
  // guard headers-of-the-message: a proxy that reads headers alone is told which tool is called
  if (header === undefined ? !isRequired : decoded(header) === told) return
  const problem = header === undefined ? 'is missing' : `says ${shown(header)}`
  const message = `The header ${name} ${problem}, where the message says ${shown(told)}. The two must be the same.`
  throw new RpcError('headerMismatch', message)
}

const encodedPattern = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/
const utf8 = new TextDecoder('utf-8', { fatal: true })

/** A name that a header cannot hold comes as Base64, between marks. Undefined: there are marks, and nothing sound between them. */
function decoded(header: string): string | undefined {
  if (!header.startsWith('=?base64?') || !header.endsWith('?=')) return header
  const [, encoded] = encodedPattern.exec(header) ?? []
  if (encoded === undefined) return undefined
  try {
    return utf8.decode(Buffer.from(encoded, 'base64'))
  } catch {
    return undefined
  }
}
