import { createHash } from 'node:crypto'
import type { Mode } from '../../contract/context.ts'
import type { ProfileId } from '../../contract/ids.ts'
import type { Scope } from '../../contract/scopes.ts'
import type { Statement } from '../../contract/statement.ts'
import type { Id } from '../../core/id.ts'
import type { Pools } from '../database/pool.ts'
import { type Hints, topics } from '../hints/hints.ts'
import { batchLookups } from './batched-lookups.ts'

/** What a token opens: its tenant, and what it may do there. */
export type KeyGrant = {
  readonly accountId: Id<'acct'>
  readonly mode: Mode
  readonly keyId: Id<'key'>
  /** The agent that the key belongs to; policies and freezes name it. */
  readonly agentId: Id<'agent'>
  /** The one profile that the agent acts for, if it is bound to one. */
  readonly profileId: ProfileId | null
  readonly kind: 'secret' | 'publishable'
  readonly scopes: ReadonlySet<Scope>
  /** The origins of the pages that a publishable key is for. */
  readonly origins: readonly string[]
  /** What a publishable key is for. */
  readonly capabilities: readonly string[]
  /** Whether its components list and prove cards only under a client secret. */
  readonly needsClientSecret: boolean
  readonly expiresAt: Date | null
}

/** A key as it is found by its hash. */
export type FoundKey = {
  account_id: Id<'acct'>
  mode: Mode
  id: Id<'key'>
  agent_id: Id<'agent'>
  profile_id: ProfileId | null
  kind: 'secret' | 'publishable'
  scopes: Scope[]
  origins: string[]
  capabilities: string[]
  client_secrets: 'optional' | 'required'
  expires_at: Date | null
}

/** How keys are looked up and their last use is recorded: statements of the slice that owns the keys. */
export type KeyLookups = {
  one(params: { hash: Buffer }): Statement<FoundKey>
  many(params: { hashes: Buffer[] }): Statement<FoundKey & { hash: Buffer }>
  touch(params: { account_ids: string[]; modes: string[]; ids: string[] }): Statement<never>
}

export interface KeyDoor {
  /** The grant of a token, or null when no live key has its hash; at once while the token is remembered. */
  open(token: string): KeyGrant | null | Promise<KeyGrant | null>
  /** What is remembered of a token, without a lookup; undefined: nothing at this moment. */
  recall(token: string): KeyGrant | null | Promise<KeyGrant | null> | undefined
  /**
   * Like `open`, for callers who have guessed too often. A token that opened recently is looked up like any other; all others of the
   * process are looked up together, in one statement at a time. 'crowded' where too many wait.
   */
  openInCrowd(token: string): Promise<KeyGrant | null | 'crowded'>
  /** Asks the database as for an unknown token: what calls with keys experience, even while tokens are remembered. */
  probe(): Promise<void>
  close(): Promise<void>
}

/** What is remembered of a token: its grant, or the promise of it during the lookup. */
type Known = { grant: KeyGrant | null | Promise<KeyGrant | null>; untilMs: number }

/** A key may still be accepted this many milliseconds after it was revoked elsewhere, if the hint is lost. */
const cacheMs = 1000
const cacheEntriesMax = 10_000
/** Unknown tokens are remembered separately, so that they never push out the keys that work. */
const unknownEntriesMax = 10_000
const lastUseFlushMs = 10_000
/** How many keys that have opened stay recognizable by their hashes while somebody guesses from their address. */
const openedMax = 10_000

/** A hash that no token has. */
const noToken = Buffer.alloc(32)

/**
 * Remembered tokens stay in this process's memory, and nowhere else, for the second that their grant is trusted: hashing a token again
 * costs a tenth of a request.
 */
export function createKeyDoor(
  { pools, hints, hashToken }: { pools: Pools; hints: Hints; hashToken: (token: string) => Buffer },
  lookups: KeyLookups,
): KeyDoor {
  const cache = new Map<string, Known>()
  const unknown = new Map<string, Known>()
  const opened = new Set<string>()
  const used = new Map<Id<'key'>, KeyGrant>()
  const unsubscribe = hints.on(topics.keys, forgetAll)

  function forgetAll(): void {
    cache.clear()
    unknown.clear()
  }

  async function flushLastUse(): Promise<void> {
    if (used.size === 0) return
    const grants = [...used.values()]
    used.clear()
    await pools.single(
      lookups.touch({
        account_ids: grants.map((grant) => grant.accountId),
        modes: grants.map((grant) => grant.mode),
        ids: grants.map((grant) => grant.keyId),
      }),
    )
  }
  // Best effort: a lost flush makes "last used" older, nothing else.
  const timer = setInterval(() => void flushLastUse().catch(() => undefined), lastUseFlushMs)
  timer.unref()
  const forgetting = setInterval(() => {
    const now = performance.now()
    for (const known of [cache, unknown])
      for (const [token, { untilMs }] of known) if (untilMs <= now) known.delete(token)
  }, cacheMs)
  forgetting.unref()

  async function learn(token: string, hash: Buffer, look: typeof load): Promise<KeyGrant | null> {
    const now = performance.now()
    if (unknown.size >= unknownEntriesMax) unknown.clear()
    const loading = look({ pools, lookups }, hash)
    const entry: Known = { grant: loading, untilMs: now + cacheMs }
    unknown.set(token, entry)
    try {
      const grant = await loading
      entry.grant = grant
      if (!grant) return null
      used.set(grant.keyId, grant)
      remember(token, hash, entry)
      return grant
    } catch (error) {
      if (unknown.get(token) === entry) unknown.delete(token)
      throw error
    }
  }

  /** Remembered from here on, unless everything was forgotten during the lookup. */
  function remember(token: string, hash: Buffer, entry: Known): void {
    const name = hash.toString('base64')
    opened.delete(name)
    if (opened.size >= openedMax)
      for (const oldest of [...opened].slice(0, openedMax / 10)) opened.delete(oldest)
    opened.add(name)
    if (unknown.get(token) !== entry) return
    unknown.delete(token)
    if (cache.size >= cacheEntriesMax) cache.clear()
    cache.set(token, entry)
  }

  function recall(token: string): KeyGrant | null | Promise<KeyGrant | null> | undefined {
    const entry = cache.get(token) ?? unknown.get(token)
    if (!entry || entry.untilMs <= performance.now()) return undefined
    const { grant } = entry
    if (grant && !(grant instanceof Promise)) used.set(grant.keyId, grant)
    return grant
  }

  const crowd = batchLookups((hashes) => loadAll({ pools, lookups }, hashes))

  return {
    recall,
    open(token) {
      const known = recall(token)
      return known === undefined ? learn(token, hashToken(token), load) : known
    },
    async openInCrowd(token) {
      const hash = hashToken(token)
      if (opened.has(hash.toString('base64'))) return await learn(token, hash, load)
      if (crowd.isFull()) return 'crowded'
      return await learn(token, hash, () => crowd.look(hash))
    },
    async probe() {
      await load({ pools, lookups }, noToken)
    },
    async close() {
      unsubscribe()
      clearInterval(timer)
      clearInterval(forgetting)
      forgetAll()
      await flushLastUse().catch(() => undefined)
    },
  }
}

type Looking = { pools: Pools; lookups: KeyLookups }

async function load({ pools, lookups }: Looking, hash: Buffer): Promise<KeyGrant | null> {
  // guard door-of-its-own: callers are authenticated while reads are stuck
  const [row] = await pools.door(lookups.one({ hash }))
  return row ? grantOf(row) : null
}

/** By the hexadecimal hash of the token. */
async function loadAll(
  { pools, lookups }: Looking,
  hashes: readonly Buffer[],
): Promise<Map<string, KeyGrant>> {
  const owners = new Map<string, string>()
  for (const hash of hashes) {
    const name = hash.toString('hex')
    owners.set(name, name)
    owners.set(createHash('sha256').update(hash).digest('hex'), name)
  }
  const rows = await pools.door(
    lookups.many({ hashes: [...owners.keys()].map((name) => Buffer.from(name, 'hex')) }),
  )
  return new Map(rows.map((row) => [owners.get(row.hash.toString('hex')) ?? '', grantOf(row)]))
}

function grantOf(row: FoundKey): KeyGrant {
  return {
    accountId: row.account_id,
    mode: row.mode,
    keyId: row.id,
    agentId: row.agent_id,
    profileId: row.profile_id,
    kind: row.kind,
    scopes: new Set(row.scopes),
    origins: row.origins,
    capabilities: row.capabilities,
    needsClientSecret: row.client_secrets === 'required',
    expiresAt: row.expires_at,
  }
}
