import type { RpcMessage, RpcNotification, RpcRequest } from './message.ts'
import { type McpHeaders, metaKeys, revisionInMeta, shouldRepeat } from './request-meta.ts'
import { RpcError, shown } from './rpc-error.ts'

export type Revision = {
  readonly name: string
  /** Client and server learn of each other in a greeting before all else. Without one, each request and result says it in its `_meta`. */
  readonly hasGreeting: boolean
  readonly hasBatches: boolean
}

/** Offered to clients that greet us with one that is not spoken, or that has no greeting. */
const newestGreeting: Revision = { name: '2025-11-25', hasGreeting: true, hasBatches: false }

/** The revisions of the protocol that are spoken, newest first. */
const revisions: readonly Revision[] = [
  { name: '2026-07-28', hasGreeting: false, hasBatches: false },
  newestGreeting,
  { name: '2025-06-18', hasGreeting: true, hasBatches: false },
  { name: '2025-03-26', hasGreeting: true, hasBatches: true },
]

/** Before 2025-06-18 requests did not name their revision: those that name none are of the one before. */
const unnamed = '2025-03-26'

const byName: ReadonlyMap<unknown, Revision> = new Map(revisions.map((each) => [each.name, each]))

export const protocolVersions: readonly string[] = revisions.map(({ name }) => name)
export const versionsWithoutGreeting: readonly string[] = revisions
  .filter(({ hasGreeting }) => !hasGreeting)
  .map(({ name }) => name)

/** What a client is offered that greets us: the revision that it asks for, or else the newest that has a greeting. */
export function greetedWith(asked: string): string {
  return byName.get(asked)?.hasGreeting ? asked : newestGreeting.name
}

/** Of a whole request, for what every message in it has in common; undefined: it names one that is not spoken. */
export function revisionNamedIn(headers: McpHeaders): Revision | undefined {
  return byName.get(headers['mcp-protocol-version'] ?? unnamed)
}

/** Of one message: what its `_meta` says, or else the header. Throws an `RpcError` where that makes no sense. */
export function revisionOf(headers: McpHeaders, message: RpcMessage): Revision {
  const named = revisionNamedIn(headers)
  if (message.kind !== 'answer' && isClaiming(message, named)) return revisionClaimed(headers, message)
  if (!named) {
    // A greeting asks what is spoken, so it may name something that is not.
    if (message.kind === 'request' && message.method === 'initialize') return newestGreeting
    throw notSpoken(headers['mcp-protocol-version'] ?? '', protocolVersions)
  }
  if (!named.hasGreeting && message.kind === 'notification')
    shouldRepeat(headers, 'mcp-method', message.method, { isRequired: false })
  return named
}

/** Whether a message says of which revision it is, or should. */
function isClaiming({ kind, meta }: RpcRequest | RpcNotification, named: Revision | undefined): boolean {
  return meta[metaKeys.revision] !== undefined || (kind === 'request' && named?.hasGreeting === false)
}

function revisionClaimed(headers: McpHeaders, message: RpcRequest | RpcNotification): Revision {
  const isRequired = message.kind === 'request'
  const claimed = revisionInMeta(message)
  shouldRepeat(headers, 'mcp-protocol-version', claimed, { isRequired })
  shouldRepeat(headers, 'mcp-method', message.method, { isRequired })
  const revision = byName.get(claimed)
  if (!revision || revision.hasGreeting) throw notSpoken(claimed, versionsWithoutGreeting)
  return revision
}

function notSpoken(requested: string, supported: readonly string[]): RpcError {
  const message = `The protocol revision ${shown(requested)} is not spoken here. Use ${supported.join(', ')}.`
  return new RpcError('unsupportedRevision', message, { data: { supported, requested } })
}
