import type { EventDraft, Transaction } from '../../contract/context.ts'
import type { Reply } from '../../contract/operation.ts'
import type { Pools } from '../database/pool.ts'
import { type DatabaseTransaction, openTransaction } from '../database/transaction.ts'
import { appendEvents, type EventOrigin, freezeEvents } from '../events/append-events.ts'
import type { AtOnce } from '../events/at-once.ts'
import { type Hints, topics } from '../hints/hints.ts'
import { claimKey } from '../idempotency/idempotency.ts'
import type { RequestDigest } from '../idempotency/request-digest.ts'
import { shareOf } from './reads.ts'

/** A key that is claimed in the transaction of its effect. */
type KeyClaim = { operation: string; key: string; digest: RequestDigest }

/** The unit of work of one call or one work step: its transaction, and the events that are committed with it. */
export type Unit = {
  readonly tx: Transaction
  /** Commits the queued writes, the events and the key in one round trip; returns the bytes of the body. */
  commit(reply: Reply, claim: KeyClaim | null): Promise<string>
  /** Commits a work step, which has no reply. */
  finish(): Promise<void>
  rollback(): Promise<void>
}

/** How many times a unit is run after deadlocks or serialization failures. */
export const unitAttemptsMax = 4

export function openUnit(
  deps: { pools: Pools; hints: Hints; atOnce: AtOnce },
  origin: EventOrigin,
  transaction: Omit<DatabaseTransaction, 'attempt'> = openTransaction(
    deps.pools,
    shareOf({ ...origin, kind: null }),
  ),
): Unit {
  const drafts: EventDraft[] = []
  /** Kinds of work to wake, each with whether somebody waits for it. */
  const kinds = new Map<string, boolean>()
  const notified = new Set<string>()

  async function commitWith(reply: Reply | null, claim: KeyClaim | null): Promise<string> {
    const events = freezeEvents(drafts, origin)
    const shown = reply && events.find(({ draft }) => draft.object === reply.body)
    const body = shown?.object ?? (reply ? JSON.stringify(reply.body) : '')
    const appended = appendEvents(events, origin, deps.atOnce)
    const last = [...appended.statements]
    if (claim && reply) {
      const objectId = 'id' in reply.body && typeof reply.body.id === 'string' ? reply.body.id : null
      const aggregateId = shown?.draft.aggregateId ?? null
      last.push(
        claimKey({
          account_id: origin.tenant.accountId,
          mode: origin.tenant.mode,
          operation: claim.operation,
          key: claim.key,
          ...claim.digest,
          status: reply.status,
          headers: reply.headers ?? null,
          event_id: shown?.id ?? null,
          event_aggregate_id: aggregateId === objectId ? null : aggregateId,
          object_id: objectId,
          body: shown ? null : body,
          created_at: origin.now,
        }),
      )
    }
    await transaction.commit(last).catch((error: unknown) => {
      throw deps.atOnce.rest(error, appended.into) ?? error
    })
    for (const shard of appended.shards) deps.hints.publish(topics.relay(shard))
    if (appended.wakes !== null) deps.hints.publish(topics.work(appended.wakes))
    for (const id of new Set([...notified, ...drafts.map((draft) => draft.aggregateId)]))
      deps.hints.publish(topics.aggregate(id))
    for (const [kind, isAwaited] of kinds) deps.hints.publish(topics.work(kind), { isAwaited })
    return body
  }

  return {
    tx: {
      rows: (statement) => transaction.rows(statement),
      maybe: async (statement) => (await transaction.rows(statement))[0] ?? null,
      ahead: {
        rows: (statement) => transaction.rowsAhead(statement),
        maybe: async (statement) => (await transaction.rowsAhead(statement))[0] ?? null,
      },
      write: (statement, replaces) => transaction.write(statement, replaces),
      isQueued: (name) => transaction.isQueued(name),
      emit: (event) => void drafts.push(event),
      notify: (aggregateId) => void notified.add(aggregateId),
      wake: (kind, how) => void kinds.set(kind, how?.isAwaited || kinds.get(kind) || false),
    },
    commit: commitWith,
    finish: async () => void (await commitWith(null, null)),
    rollback: () => transaction.rollback(),
  }
}
