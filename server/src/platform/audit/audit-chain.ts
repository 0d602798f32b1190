import { createHash } from 'node:crypto'
import type { RelayedEvent } from '../events/follower.ts'
import type { AuditKeys } from './audit-keys.ts'

/** `keyed`: an entry of its own. `batched`: a row for many events. */
export const schemes = { keyed: 2, batched: 3 } as const

/** `erasure` says which events were removed. */
export type EntryKind = 'events' | 'erasure'

/** The positions of the chain that an entry is about: for events, its own. */
type Range = { readonly first: bigint; readonly last: bigint; readonly count: bigint }

/**
 * One link of a tenant's chain that is not a batch: who did what to which object, when, and proof of its bytes. Erasures are such links.
 */
export type AuditEntry = {
  readonly accountId: string
  readonly mode: string
  readonly position: bigint
  readonly scheme: number
  readonly kind: EntryKind
  /** Null where a row does not say it, which no entry of ours does; nor is one without a key. */
  readonly range: Range | null
  readonly keyId: string | null
  readonly eventId: string | null
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

export type Unsigned = Omit<AuditEntry, 'hash'>

/** The end of a chain. */
export type AuditHead = { readonly position: bigint; readonly hash: Buffer; readonly scheme: number }

/** The head of a chain without entries. */
export const emptyHead: AuditHead = { position: 0n, hash: Buffer.alloc(32), scheme: schemes.keyed }

/** Whose chain it is, as columns. */
export type TenantKey = { account_id: string; mode: string }

type TenantOfChain = { readonly accountId: string; readonly mode: string }

/** Says which events were removed, by their positions and their digests in the chain. */
export function erasureEntry(
  keys: AuditKeys,
  tenant: TenantOfChain,
  head: AuditHead,
  erased: { range: Range; digests: readonly Buffer[]; reason: string; at: Date },
): AuditEntry {
  return signed(keys, {
    ...tenant,
    ...ofTheSystem,
    position: head.position + 1n,
    kind: 'erasure',
    range: erased.range,
    keyId: keys.currentId,
    action: 'audit.erased',
    targetId: erased.reason,
    digest: digestOfDigests(erased.digests),
    at: erased.at,
    previousHash: head.hash,
  })
}

export function digestOfDigests(digests: readonly Buffer[]): Buffer {
  return sha256(['digests-1', ...digests.map((digest) => digest.toString('hex'))])
}

const ofTheSystem = {
  scheme: schemes.keyed,
  eventId: null,
  actorType: 'system',
  actorId: 'audit',
  requestId: '',
} as const

function signed(keys: AuditKeys, entry: Unsigned): AuditEntry {
  return { ...entry, hash: hashOf(keys, entry) }
}

/** The digest of everything that an event says, as an entry of its own holds it; `digestOfEvent` is that of batches. */
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

/**
 * The hash of an entry over a canonical form: a JSON array with a fixed order and no numbers beyond 2^53. Without the key that it names,
 * nobody can make or check it.
 */
export function hashOf(keys: AuditKeys, entry: Unsigned): Buffer {
  const { scheme, range, keyId } = entry
  if (scheme !== schemes.keyed || range === null || keyId === null) {
    throw new Error(`an entry of the scheme ${scheme} has no hash here`)
  }
  const { first, last, count } = range
  const named = [entry.kind, first.toString(), last.toString(), count.toString(), keyId]
  // guard audit-under-a-key: an entry cannot be made without the key
  return keys.sign(keyId, JSON.stringify(['entry-2', ...named, ...saidBy(entry)]))
}

function saidBy(entry: Unsigned): (string | null)[] {
  return [
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
    // guard audit-hash-of-the-link: the hash of an entry holds the one before it
    entry.previousHash.toString('hex'),
  ]
}

function sha256(fields: readonly (string | number | null)[]): Buffer {
  return createHash('sha256').update(JSON.stringify(fields)).digest()
}
