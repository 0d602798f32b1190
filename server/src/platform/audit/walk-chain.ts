import type { Pools } from '../database/pool.ts'
import { toEvent } from '../events/relay.sql.ts'
import { UnknownKeyError } from '../secrets/keys.ts'
import { type EntryRow, selectEntries, type TenantKey } from './audit.sql.ts'
import {
  type AuditEntry,
  type AuditHead,
  digestOf,
  digestOfDigests,
  emptyHead,
  hashOf,
  schemes,
} from './audit-chain.ts'
import type { AuditKeys } from './audit-keys.ts'

/** What is wrong with a chain; `breakWords` says what each means. */
export type BreakReason =
  | 'gap'
  | 'link'
  | 'hash'
  | 'unkeyed'
  | 'unknown_key'
  | 'format'
  | 'event_changed'
  | 'event_missing'
  | 'event_unchained'
  | 'head'
  | 'truncated'
  | 'rewritten'
  | 'erased'

export type AuditBreak = {
  accountId: string
  mode: string
  position: string
  eventId: string | null
  reason: BreakReason
}

/** A chain as it is to be walked: to where its head says that it ends, against what was exported of it. */
export type ChainToWalk = {
  tenant: TenantKey
  /** Null: it has none. */
  head: AuditHead | null
  /** Hashes by position, as they once were. */
  exported: ReadonlyMap<bigint, string>
}

export type Walked = { entries: number; broken: AuditBreak | null }

const pageSize = 1000

/** Walks one chain from its first entry up to its first break. Without keys, what they signed is not checked. */
export async function walkChain(
  pools: Pick<Pools, 'read'>,
  keys: AuditKeys | null,
  chain: ChainToWalk,
): Promise<Walked> {
  const walk = new Walk(keys, chain)
  for (let after = 0n; ; ) {
    const rows = await pools.read(selectEntries({ ...chain.tenant, after, limit: pageSize }))
    for (const row of rows) {
      // The relay goes on while we walk; this chain was to be walked up to where it ended then.
      if (chain.head !== null && row.position > chain.head.position) return walk.end()
      const broken = walk.take(row)
      if (broken) return { entries: walk.entries, broken }
      after = row.position
    }
    if (rows.length < pageSize) return walk.end()
  }
}

class Walk {
  entries = 0
  readonly #keys: AuditKeys | null
  readonly #chain: ChainToWalk
  #previous: AuditHead = emptyHead
  /** Of entries whose events are not there: an erasure has to say so further on. */
  readonly #missing = new Map<bigint, { eventId: string | null; digest: Buffer }>()

  constructor(keys: AuditKeys | null, chain: ChainToWalk) {
    this.#keys = keys
    this.#chain = chain
  }

  take(row: EntryRow): AuditBreak | null {
    const entry = entryOf(this.#chain.tenant, row)
    const reason = this.#whatIsWrong(entry, row)
    if (reason) return this.#broken(reason, entry.position, entry.eventId)
    this.#previous = entry
    this.entries++
    return null
  }

  /** A chain that was cut short, or that goes on where its head does not say so, or that once went on. */
  end(): Walked {
    return { entries: this.entries, broken: this.#wrongAtTheEnd() }
  }

  #wrongAtTheEnd(): AuditBreak | null {
    const { head, exported } = this.#chain
    const { position, hash, scheme } = this.#previous
    const next = position + 1n
    const [missing] = this.#missing
    if (missing) return this.#broken('event_missing', missing[0], missing[1].eventId)
    if (head === null || head.position < position) return this.#broken('head', next)
    if (head.position > position) return this.#broken('gap', next)
    if (!head.hash.equals(hash)) return this.#broken('head', next)
    if (position > 0n && scheme === schemes.plain) return this.#broken('unkeyed', position)
    if (position > 0n && head.scheme !== scheme) return this.#broken('head', next)
    for (const beyond of exported.keys()) if (beyond > position) return this.#broken('truncated', next)
    return null
  }

  #whatIsWrong(entry: AuditEntry, row: EntryRow): BreakReason | null {
    const { position, previousHash, hash } = entry
    if (position !== this.#previous.position + 1n) return 'gap'
    if (!previousHash.equals(this.#previous.hash)) return 'link'
    const signature = this.#wrongSignature(entry)
    if (signature) return signature
    // Also where the key says that all is well: a chain can be cut, and go on in another way.
    const exported = this.#chain.exported.get(position)
    if (exported !== undefined && exported !== hash.toString('hex')) return 'rewritten'
    if (row.is_time_finer) return 'hash'
    return entry.kind === 'events' ? this.#wrongEvent(entry, row) : this.#wrongRange(entry)
  }

  #wrongSignature(entry: AuditEntry): BreakReason | null {
    if (entry.scheme === schemes.plain) {
      const isKeyedBefore = this.#previous.position > 0n && this.#previous.scheme !== schemes.plain
      if (isKeyedBefore || entry.kind !== 'events' || entry.range !== null) return 'unkeyed'
    } else if (entry.scheme !== schemes.keyed || entry.range === null || entry.keyId === null) {
      return 'format'
    } else {
      const isPlainBefore = this.#previous.position > 0n && this.#previous.scheme === schemes.plain
      if (isPlainBefore !== (entry.kind === 'closing')) return isPlainBefore ? 'unkeyed' : 'format'
      if (this.#keys === null) return null
    }
    return this.#wrongHash(entry)
  }

  #wrongHash(entry: AuditEntry): BreakReason | null {
    try {
      return hashOf(this.#keys ?? noKeys, entry).equals(entry.hash) ? null : 'hash'
    } catch (error) {
      if (error instanceof UnknownKeyError) return 'unknown_key'
      throw error
    }
  }

  #wrongEvent(entry: AuditEntry, row: EntryRow): BreakReason | null {
    const { range, position } = entry
    const isOne =
      range === null || (range.first === position && range.last === position && range.count === 1n)
    if (!isOne || entry.eventId === null) return 'format'
    if (row.event === null) {
      this.#missing.set(position, { eventId: entry.eventId, digest: entry.digest })
      return null
    }
    const event = toEvent({ ...row.event, created_at: new Date(row.event.created_at) })
    return digestOf(event).equals(row.digest) ? null : 'event_changed'
  }

  #wrongRange({ kind, range, position, digest }: AuditEntry): BreakReason | null {
    if (range === null) return 'format'
    if (kind === 'closing') {
      const isAllBefore = range.first === 1n && range.last === position - 1n && range.count === range.last
      return isAllBefore ? null : 'format'
    }
    if (kind !== 'erasure' || range.last >= position) return 'format'
    const erased = [...this.#missing].filter(([at]) => at >= range.first && at <= range.last)
    const isSaid =
      BigInt(erased.length) === range.count &&
      digestOfDigests(erased.map(([, entry]) => entry.digest)).equals(digest)
    if (!isSaid) return 'format'
    for (const [at] of erased) this.#missing.delete(at)
    return null
  }

  #broken(reason: BreakReason, position: bigint, eventId: string | null = null): AuditBreak {
    const { account_id, mode } = this.#chain.tenant
    return { accountId: account_id, mode, position: `${position}`, eventId, reason }
  }
}

/** For entries that no key has signed. */
const noKeys: AuditKeys = {
  currentId: '',
  sign(keyId) {
    throw new UnknownKeyError(keyId)
  },
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
