import { createHash } from 'node:crypto'
import type { RelayedEvent } from '../events/follower.ts'

/** One link of a tenant's chain: who did what to which thing, when, and proof of the bytes. */
export type AuditEntry = {
  readonly accountId: string
  readonly mode: string
  readonly position: bigint
  readonly eventId: string
  readonly actorType: string
  readonly actorId: string | null
  readonly action: string
  readonly targetId: string
  readonly requestId: string
  readonly digest: Buffer
  readonly at: Date
  readonly previousHash: Buffer
  readonly hash: Buffer
}

/** Where a chain ends. */
export type AuditHead = { readonly position: bigint; readonly hash: Buffer }

/** The head of a chain without entries. */
export const emptyHead: AuditHead = { position: 0n, hash: Buffer.alloc(32) }

/** The entry that follows `head` for this event. */
export function nextEntry(head: AuditHead, event: RelayedEvent): AuditEntry {
  const entry = {
    accountId: event.tenant.accountId,
    mode: event.tenant.mode,
    position: head.position + 1n,
    eventId: event.id,
    actorType: event.actor.type,
    actorId: event.actor.id,
    action: event.type,
    targetId: event.aggregateId,
    requestId: event.requestId,
    digest: digestOf(event),
    at: event.createdAt,
    previousHash: head.hash,
  }
  return { ...entry, hash: hashOf(entry) }
}

/** The digest of everything an event says; the event is never changed, so it can be taken again at any time. */
export function digestOf(event: RelayedEvent): Buffer {
  return sha256([
    'event-1',
    event.tenant.accountId,
    event.tenant.mode,
    event.id,
    event.type,
    event.aggregateId,
    event.sequence,
    event.cartId,
    event.actor.type,
    event.actor.id,
    event.requestId,
    event.object,
    event.recipientAccountId,
    event.envelope,
    event.createdAt.toISOString(),
  ])
}

/** The hash of an entry over a canonical form: a JSON array with a fixed order and no numbers beyond 2^53. */
export function hashOf(entry: Omit<AuditEntry, 'hash'>): Buffer {
  return sha256([
    'entry-1',
    entry.accountId,
    entry.mode,
    entry.position.toString(),
    entry.eventId,
    entry.actorType,
    entry.actorId,
    entry.action,
    entry.targetId,
    entry.requestId,
    entry.digest.toString('hex'),
    entry.at.toISOString(),
    entry.previousHash.toString('hex'),
  ])
}

function sha256(fields: readonly (string | number | null)[]): Buffer {
  return createHash('sha256').update(JSON.stringify(fields)).digest()
}
