import type { Pools } from '../database/pool.ts'
import { measureTail, selectChains } from './audit.sql.ts'
import type { AuditKeys } from './audit-keys.ts'
import { type AuditBreak, noEvent } from './check-links.ts'
import { selectMisclaimed } from './claims.sql.ts'
import { chainKey, type ExportedHeads } from './exported-heads.ts'
import { walkChain } from './walk-chain.ts'

export type AuditReport = {
  ok: boolean
  chains: number
  entries: number
  /** How many exported heads were compared. */
  heads: number
  /** The first break of each broken chain, and events that no chain will ever hold, or that one holds twice or has left out. */
  breaks: AuditBreak[]
  /** Events that no chain holds yet. Normal for a moment, a failure after a minute. */
  unchained: { events: number; oldestSeconds: number; oldestEventId: string | null; overdue: boolean }
}

type AuditWitness = {
  /** Null: what was signed is not checked. */
  keys: AuditKeys | null
  /** Heads as they were at other times, kept elsewhere. */
  exported?: ExportedHeads
}

const tailSecondsMax = 60

/** Verifies every chain (or those of one account or mode) from its first entry, and compares it with the events that it vouches for. */
export async function verifyAudit(
  pools: Pick<Pools, 'read'>,
  { keys, exported = new Map() }: AuditWitness,
  filter: { accountId?: string; mode?: string } = {},
): Promise<AuditReport> {
  const which = { account_id: filter.accountId ?? null, mode: filter.mode ?? null }
  // The tail is measured first: events that are chained during the walk must be counted once.
  const [tail] = await pools.read(measureTail(which))
  const chains = await pools.read(selectChains(which))
  // guard audit-stray-event: an event that nobody will chain is found
  const breaks: AuditBreak[] = (tail?.strays ?? []).map(strayOf)
  const unseen = new Map(exported)
  let entries = 0
  let heads = 0
  for (const { account_id, mode, last, position, hash, scheme } of chains) {
    const head = position === null || hash === null || scheme === null ? null : { position, hash, scheme }
    const key = chainKey({ account_id, mode })
    const known = unseen.get(key) ?? new Map<bigint, string>()
    unseen.delete(key)
    heads += known.size
    const walked = await walkChain(pools, keys, { tenant: { account_id, mode }, last, head, exported: known })
    entries += walked.entries
    if (walked.broken) breaks.push(walked.broken)
  }
  for (const [key, known] of unseen) {
    const [accountId = '', mode = ''] = key.split('/')
    if ((filter.accountId ?? accountId) !== accountId || (filter.mode ?? mode) !== mode) continue
    heads += known.size
    // guard audit-exported-chain: a chain that was erased is found by the exported heads
    breaks.push({ accountId, mode, position: '1', ...noEvent, reason: 'erased' })
  }
  for (const { account_id, aggregate_id, ...claim } of await pools.read(selectMisclaimed(which))) {
    const position = claim.position.toString()
    breaks.push({ ...claim, accountId: account_id, eventId: null, aggregateId: aggregate_id, position })
  }
  const oldestSeconds = tail?.oldest_seconds ?? 0
  const unchained = {
    events: Number(tail?.unchained ?? 0),
    oldestSeconds,
    oldestEventId: tail?.oldest_event_id ?? null,
    overdue: oldestSeconds > tailSecondsMax,
  }
  const ok = breaks.length === 0 && !unchained.overdue
  return { ok, chains: chains.length, entries, heads, breaks, unchained }
}

function strayOf(place: string): AuditBreak {
  const [accountId = '', mode = '', eventId = ''] = place.split('/')
  return { accountId, mode, position: '0', ...noEvent, eventId, reason: 'event_unchained' }
}
