import type { Pools } from '../database/pool.ts'
import { toEvent } from '../events/relay.sql.ts'
import { type EntryRow, measureTail, selectEntries, selectHeads, type TenantKey } from './audit.sql.ts'
import { type AuditEntry, type AuditHead, digestOf, emptyHead, hashOf } from './audit-chain.ts'

export type AuditBreak = {
  accountId: string
  mode: string
  position: string
  eventId: string | null
  /** `gap`: an entry is missing. `link`: it does not follow the one before. `hash`: it was changed. `event`: its event was. */
  reason: 'gap' | 'link' | 'hash' | 'event' | 'head'
}

export type AuditReport = {
  ok: boolean
  chains: number
  entries: number
  /** The first break of each broken chain. */
  breaks: AuditBreak[]
  /** Events that no chain holds yet. Normal for a moment, a failure after a minute. */
  unchained: { events: number; oldestSeconds: number; oldestEventId: string | null; overdue: boolean }
}

const pageSize = 1000
const tailSecondsMax = 60

/** Walks every chain (or those of one account or mode) from its first entry and compares it with the events it vouches for. */
export async function verifyAudit(
  pools: Pick<Pools, 'read'>,
  filter: { accountId?: string; mode?: string } = {},
): Promise<AuditReport> {
  const which = { account_id: filter.accountId ?? null, mode: filter.mode ?? null }
  // The tail first: what is chained during the walk must not be counted in neither.
  const [tail] = await pools.read(measureTail(which))
  const heads = await pools.read(selectHeads(which))
  const breaks: AuditBreak[] = []
  let entries = 0
  for (const head of heads) {
    const walked = await walk(pools, head)
    entries += walked.entries
    if (walked.broken) breaks.push(walked.broken)
  }
  const oldestSeconds = tail?.oldest_seconds ?? 0
  const unchained = {
    events: Number(tail?.unchained ?? 0),
    oldestSeconds,
    oldestEventId: tail?.oldest_event_id ?? null,
    overdue: oldestSeconds > tailSecondsMax,
  }
  return { ok: breaks.length === 0 && !unchained.overdue, chains: heads.length, entries, breaks, unchained }
}

type Walked = { entries: number; broken: AuditBreak | null }

async function walk(pools: Pick<Pools, 'read'>, head: TenantKey & AuditHead): Promise<Walked> {
  let previous: AuditHead = emptyHead
  let entries = 0
  for (;;) {
    const rows = await pools.read(
      selectEntries({
        account_id: head.account_id,
        mode: head.mode,
        after: previous.position,
        limit: pageSize,
      }),
    )
    for (const row of rows) {
      // The relay goes on while we walk; this chain was to be walked up to where it ended then.
      if (row.position > head.position) return { entries, broken: endOf(head, previous) }
      const entry = entryOf(head, row)
      const reason = whatIsWrong(entry, previous) ?? (isEventChanged(row) ? 'event' : null)
      if (reason)
        return {
          entries,
          broken: { ...placeOf(head), position: `${entry.position}`, eventId: entry.eventId, reason },
        }
      previous = entry
      entries++
    }
    if (rows.length < pageSize) return { entries, broken: endOf(head, previous) }
  }
}

function entryOf(tenant: TenantKey, row: EntryRow): AuditEntry {
  return {
    accountId: tenant.account_id,
    mode: tenant.mode,
    position: row.position,
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

function whatIsWrong(entry: AuditEntry, previous: AuditHead): 'gap' | 'link' | 'hash' | null {
  if (entry.position !== previous.position + 1n) return 'gap'
  if (!entry.previousHash.equals(previous.hash)) return 'link'
  return hashOf(entry).equals(entry.hash) ? null : 'hash'
}

/** Events are removed with their objects when their time is over; one that is there must be what was chained. */
function isEventChanged(row: EntryRow): boolean {
  if (row.event === null) return false
  const event = toEvent({ ...row.event, created_at: new Date(row.event.created_at) })
  return !digestOf(event).equals(row.digest)
}

/** A chain that was cut short, or that goes on where its head does not say so. */
function endOf(head: TenantKey & AuditHead, last: AuditHead): AuditBreak | null {
  if (last.position === head.position && last.hash.equals(head.hash)) return null
  return {
    ...placeOf(head),
    position: `${last.position + 1n}`,
    eventId: null,
    reason: last.position < head.position ? 'gap' : 'head',
  }
}

function placeOf({ account_id, mode }: TenantKey) {
  return { accountId: account_id, mode }
}
