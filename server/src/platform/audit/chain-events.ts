import type { ChainedEvent, Follower, FollowTransaction, RelayedEvent } from '../events/follower.ts'
import { beginChains, lockHeads } from './audit.sql.ts'
import { type AuditBatch, nextBatch } from './audit-batch.ts'
import { type AuditHead, emptyHead } from './audit-chain.ts'
import type { AuditKeys } from './audit-keys.ts'
import { appendBatches } from './batches.sql.ts'
import { digestOfEvent } from './event-digest.ts'

/**
 * The chain as a follower among others, for batches in which a follower has failed: events that cannot be chained now are chained later.
 */
export function followByChaining(keys: AuditKeys): Follower {
  return chainingOf(keys).follower
}

/** What the chain takes of an event that is read whole. */
export function chained(event: RelayedEvent): ChainedEvent {
  return { ...event, digest: digestOfEvent(event) }
}

/** One for each set of keys: followers are compared by identity. */
const chaining = new WeakMap<AuditKeys, { follower: Follower; ends: KnownEnds }>()

function chainingOf(keys: AuditKeys) {
  const known = chaining.get(keys)
  if (known) return known
  const follower: Follower = {
    name: 'audit',
    follow: (tx, events) => chainEvents(keys, tx, events.map(chained)),
  }
  const made = { follower, ends: new KnownEnds() }
  chaining.set(keys, made)
  return made
}

type ChainTransaction = Pick<FollowTransaction, 'rows' | 'write' | 'now'>

/**
 * Adds one batch to the chain of each tenant, in the transaction that relays its events. Where the chain still ends as this process left
 * it, that is one statement. Otherwise its head is locked and read first.
 */
export async function chainEvents(
  keys: AuditKeys,
  tx: ChainTransaction,
  events: readonly ChainedEvent[],
): Promise<void> {
  const { ends } = chainingOf(keys)
  const waiting = byChain(events)
  const append = async (heads: ReadonlyMap<string, AuditHead>) => {
    const batches = batchesAfter(keys, heads, waiting, tx.now)
    if (batches.length === 0) return
    const appended = new Set((await tx.rows(appendBatches(batches))).map(chainOf))
    for (const batch of batches) {
      const chain = chainOf({ account_id: batch.accountId, mode: batch.mode })
      if (!appended.has(chain)) continue
      ends.learn(chain, batch)
      waiting.delete(chain)
    }
  }
  await append(ends.of(waiting.keys()))
  if (waiting.size === 0) return
  await append(await lockedHeads(tx, waiting))
  if (waiting.size > 0) throw new Error(`the locked audit chain ${[...waiting.keys()][0]} was not continued`)
}

/**
 * The batches that hold these events, if each chain still ends as this process left it; null where it does not know one. Whoever appends
 * them tells `learnEnds`.
 */
export function batchesOnKnownEnds(
  keys: AuditKeys,
  events: readonly ChainedEvent[],
  at: Date,
): AuditBatch[] | null {
  const waiting = byChain(events)
  const known = chainingOf(keys).ends.of(waiting.keys())
  return known.size < waiting.size ? null : batchesAfter(keys, known, waiting, at)
}

export function learnEnds(keys: AuditKeys, batches: readonly AuditBatch[]): void {
  const { ends } = chainingOf(keys)
  for (const batch of batches) ends.learn(chainOf({ account_id: batch.accountId, mode: batch.mode }), batch)
}

/** One batch for each chain whose head is known. */
function batchesAfter(
  keys: AuditKeys,
  heads: ReadonlyMap<string, AuditHead>,
  waiting: ReadonlyMap<string, OfChain>,
  at: Date,
): AuditBatch[] {
  return [...waiting].flatMap(([chain, { tenant, events }]) => {
    const head = heads.get(chain)
    return head ? [nextBatch(keys, head, { tenant, events, at })] : []
  })
}

type OfChain = { tenant: ChainedEvent['tenant']; events: ChainedEvent[] }

function byChain(events: readonly ChainedEvent[]): Map<string, OfChain> {
  const chains = new Map<string, OfChain>()
  for (const event of events) {
    const { tenant } = event
    const chain = chainOf({ account_id: tenant.accountId, mode: tenant.mode })
    const known = chains.get(chain)
    if (known) known.events.push(event)
    else chains.set(chain, { tenant, events: [event] })
  }
  return chains
}

function chainOf({ account_id, mode }: { account_id: string; mode: string }): string {
  return `${account_id}/${mode}`
}

async function lockedHeads(
  tx: ChainTransaction,
  chains: ReadonlyMap<string, OfChain>,
): Promise<Map<string, AuditHead>> {
  const tenants = [...chains.values()].map(({ tenant }) => tenant)
  const account_ids = tenants.map(({ accountId }) => accountId)
  const modes = tenants.map(({ mode }) => mode)
  let heads = await tx.rows(lockHeads({ account_ids, modes }))
  // guard chain-has-a-row-to-lock: two relays that begin a chain at once do not both write its first entry
  if (heads.length < tenants.length) {
    tx.write(beginChains({ account_ids, modes, hash: emptyHead.hash, scheme: emptyHead.scheme }))
    heads = await tx.rows(lockHeads({ account_ids, modes }))
  }
  return new Map(heads.map((head) => [chainOf(head), head]))
}

const knownMax = 10_000

/**
 * The ends of chains as this process last wrote them. Whether one is still right is decided by the statement that continues it, so an end
 * may be remembered of a transaction that failed later.
 */
class KnownEnds {
  readonly #ends = new Map<string, AuditHead>()

  of(chains: Iterable<string>): ReadonlyMap<string, AuditHead> {
    const known = new Map<string, AuditHead>()
    for (const chain of chains) {
      const end = this.#ends.get(chain)
      if (end) known.set(chain, end)
    }
    return known
  }

  learn(chain: string, { position, hash, scheme }: AuditBatch): void {
    if (this.#ends.size >= knownMax) this.#ends.clear()
    this.#ends.set(chain, { position, hash, scheme })
  }
}
