import { unpackedEvent } from '../events/relay.sql.ts'
import { UnknownKeyError } from '../secrets/keys.ts'
import type { EntryRow, EventColumns } from './audit.sql.ts'
import { type AuditBatch, hashOfBatch, isWhole, memberAt } from './audit-batch.ts'
import {
  type AuditEntry,
  type AuditHead,
  digestOf,
  digestOfDigests,
  emptyHead,
  hashOf,
  schemes,
  type TenantKey,
} from './audit-chain.ts'
import type { AuditKeys } from './audit-keys.ts'
import { type BatchRow, batchOf } from './batches.sql.ts'
import { digestBytes } from './event-digest.ts'
import type { StoredEvent } from './stored-events.sql.ts'

/** What is wrong with a chain; `breakWords` explains each reason. */
export type BreakReason =
  | 'gap'
  | 'link'
  | 'hash'
  | 'unknown_key'
  | 'format'
  | 'event_changed'
  | 'event_missing'
  | 'event_unchained'
  | 'event_twice'
  | 'event_skipped'
  | 'head'
  | 'truncated'
  | 'rewritten'
  | 'erased'

/** An event, as far as a chain or the events say which one it is. */
type EventPlace = { eventId: string | null; aggregateId: string | null; sequence: number | null }

export type AuditBreak = EventPlace & {
  accountId: string
  mode: string
  position: string
  reason: BreakReason
}

export const noEvent: EventPlace = { eventId: null, aggregateId: null, sequence: null }

/** A chain: up to the end that its head names, compared with what was exported of it. */
export type ChainToCheck = {
  tenant: TenantKey
  /** Null: the chain has no head. */
  head: AuditHead | null
  /** Exported hashes, by position. */
  exported: ReadonlyMap<bigint, string>
}

type Missing = { digest: Buffer; place: EventPlace }

/** Checks the links of a chain in their order: batches, and entries of their own such as erasures. */
export class LinkCheck {
  /** How many positions hold. */
  entries = 0
  readonly #keys: AuditKeys | null
  readonly #chain: ChainToCheck
  #previous: AuditHead
  /** Positions whose events are missing: a later erasure has to name them. */
  readonly #missing = new Map<bigint, Missing>()

  /** It begins behind `previous`. */
  constructor(keys: AuditKeys | null, chain: ChainToCheck, previous: AuditHead = emptyHead) {
    this.#keys = keys
    this.#chain = chain
    this.#previous = previous
  }

  takeEntry(row: EntryRow): AuditBreak | null {
    const entry = entryOf(this.#chain.tenant, row)
    const place = { ...noEvent, eventId: entry.eventId }
    const reason = this.#wrongEntry(entry, row)
    if (reason) return this.#broken(reason, entry.position, place)
    this.#previous = entry
    this.entries++
    return null
  }

  /** `stored`: its events as they are stored; null: all of them are as the batch says. */
  takeBatch(row: BatchRow, stored: readonly StoredEvent[] | null): AuditBreak | null {
    const batch = batchOf(this.#chain.tenant, row)
    const reason = this.#wrongBatch(batch, row)
    if (reason) return this.#broken(reason, batch.firstPosition)
    const changed = stored && this.#wrongEvents(batch, stored)
    if (changed) return changed
    this.#previous = batch
    this.entries += batch.digests.length / digestBytes
    return null
  }

  /** Finds a chain that was cut, one that continues beyond its head, and one that was longer at an earlier export. */
  wrongAtTheEnd(): AuditBreak | null {
    const { head, exported } = this.#chain
    const { position, hash, scheme } = this.#previous
    const next = position + 1n
    const [missing] = this.#missing
    // guard audit-missing-event: an event that was removed, and no erasure says so, is found
    if (missing) return this.#broken('event_missing', missing[0], missing[1].place)
    // guard audit-head: a chain that does not end where its head says is found
    if (head === null || head.position < position) return this.#broken('head', next)
    if (head.position > position) return this.#broken('gap', next)
    if (!head.hash.equals(hash)) return this.#broken('head', next)
    if (position > 0n && head.scheme !== scheme) return this.#broken('head', next)
    // guard audit-exported-end: a tail that was cut off is found by the exported heads
    for (const beyond of exported.keys()) if (beyond > position) return this.#broken('truncated', next)
    return null
  }

  #wrongEntry(entry: AuditEntry, row: EntryRow): BreakReason | null {
    const { position } = entry
    const reason = this.#wrongPlace({ ...entry, firstPosition: position }) ?? this.#wrongSignature(entry)
    if (reason) return reason
    if (this.#isRewritten({ ...entry, firstPosition: position })) return 'rewritten'
    if (row.is_time_finer) return 'hash'
    return entry.kind === 'events' ? this.#wrongEvent(entry, row) : this.#wrongRange(entry)
  }

  #wrongBatch(batch: AuditBatch, row: BatchRow): BreakReason | null {
    const place = this.#wrongPlace(batch)
    if (place) return place
    // guard audit-whole-batch: a batch that speaks of more events than it has digests is found
    if (batch.scheme !== schemes.batched || !isWhole(batch)) return 'format'
    const keys = this.#keys
    const signature = keys === null ? null : wrongHash(batch.hash, () => hashOfBatch(keys, batch))
    if (signature) return signature
    if (this.#isRewritten(batch)) return 'rewritten'
    return row.is_time_finer ? 'hash' : null
  }

  #wrongPlace(link: { firstPosition: bigint; previousHash: Buffer }): BreakReason | null {
    // guard audit-gap: an entry that was taken out is found
    if (link.firstPosition !== this.#previous.position + 1n) return 'gap'
    // guard audit-link: an entry follows the one before it
    return link.previousHash.equals(this.#previous.hash) ? null : 'link'
  }

  /**
   * Also where the key confirms the link: a chain can be cut and continued in another way. Where a batch has its middle, a chain that was
   * continued as it was never had its end.
   */
  #isRewritten({
    firstPosition,
    position,
    hash,
  }: {
    firstPosition: bigint
    position: bigint
    hash: Buffer
  }): boolean {
    const { exported } = this.#chain
    if (exported.size === 0) return false
    // guard audit-end-inside-a-batch: a tail that was cut off and grew again is found where a batch stands over its old end
    for (let at = firstPosition; at < position; at++) if (exported.has(at)) return true
    const known = exported.get(position)
    // guard audit-exported-hash: a tail that was cut off and grew again is found by the exported heads
    return known !== undefined && known !== hash.toString('hex')
  }

  #wrongSignature(entry: AuditEntry): BreakReason | null {
    if (entry.scheme !== schemes.keyed || entry.range === null || entry.keyId === null) return 'format'
    const keys = this.#keys
    return keys === null ? null : wrongHash(entry.hash, () => hashOf(keys, entry))
  }

  #wrongEvent(entry: AuditEntry, row: EntryRow): BreakReason | null {
    const { range, position } = entry
    const isOne =
      range === null || (range.first === position && range.last === position && range.count === 1n)
    if (!isOne || entry.eventId === null) return 'format'
    if (row.event === null) {
      this.#missing.set(position, { digest: entry.digest, place: { ...noEvent, eventId: entry.eventId } })
      return null
    }
    // guard audit-event: an event that was changed afterwards is found
    return digestOfColumns(row.event)?.equals(row.digest) ? null : 'event_changed'
  }

  #wrongEvents(batch: AuditBatch, stored: readonly StoredEvent[]): AuditBreak | null {
    const events = new Map(stored.map((event) => [`${event.aggregate_id} ${event.sequence}`, event]))
    for (let place = 0; place < batch.digests.length / digestBytes; place++) {
      const { aggregateId, sequence, position, digest } = memberAt(batch, place)
      const event = events.get(`${aggregateId} ${sequence}`)
      const which = { eventId: event?.id ?? null, aggregateId, sequence }
      // guard audit-event-of-a-batch: an event of a batch that was changed afterwards is found
      if (event === undefined) this.#missing.set(position, { digest, place: which })
      else if (!event.digest.equals(digest)) return this.#broken('event_changed', position, which)
    }
    return null
  }

  #wrongRange({ kind, range, position, digest }: AuditEntry): BreakReason | null {
    if (range === null || kind !== 'erasure' || range.last >= position) return 'format'
    const erased = [...this.#missing].filter(([at]) => at >= range.first && at <= range.last)
    const isSaid =
      BigInt(erased.length) === range.count &&
      digestOfDigests(erased.map(([, event]) => event.digest)).equals(digest)
    if (!isSaid) return 'format'
    for (const [at] of erased) this.#missing.delete(at)
    return null
  }

  #broken(reason: BreakReason, position: bigint, place: EventPlace = noEvent): AuditBreak {
    const { account_id, mode } = this.#chain.tenant
    return { accountId: account_id, mode, position: `${position}`, ...place, reason }
  }
}

function wrongHash(said: Buffer, computed: () => Buffer): BreakReason | null {
  try {
    // guard audit-hash: an entry that was changed, or that another key has signed, is found
    return computed().equals(said) ? null : 'hash'
  } catch (error) {
    if (error instanceof UnknownKeyError) return 'unknown_key'
    throw error
  }
}

export function entryOf(tenant: TenantKey, row: EntryRow): AuditEntry {
  const { range_first: first, range_last: last, range_count: count } = row
  return {
    accountId: tenant.account_id,
    mode: tenant.mode,
    position: row.position,
    scheme: row.scheme,
    kind: row.kind,
    range: first === null || last === null || count === null ? null : { first, last, count },
    keyId: row.key_id,
    eventId: row.event_id,
    actorType: row.actor_type,
    actorId: row.actor_id,
    action: row.action,
    targetId: row.target_id,
    requestId: row.request_id,
    digest: row.digest,
    at: row.at,
    previousHash: row.previous_hash,
    hash: row.hash,
  }
}

/** Null: nobody can read what the event says. */
function digestOfColumns(event: EventColumns): Buffer | null {
  const { object_bytes, envelope_bytes } = event
  try {
    return digestOf(
      unpackedEvent({
        ...event,
        created_at: new Date(event.created_at),
        object_bytes: bytesOf(object_bytes),
        envelope_bytes: envelope_bytes === null ? null : bytesOf(envelope_bytes),
      }),
    )
  } catch {
    return null
  }
}

/** As they stand in JSON: `\\x7b7d`. */
function bytesOf(shown: string): Buffer {
  return Buffer.from(shown.slice(2), 'hex')
}
