import type { EventDraft, Transaction } from '../../contract/context.ts'
import type { Reply } from '../../contract/operation.ts'
import type { Pools } from '../database/pool.ts'
import { openTransaction } from '../database/transaction.ts'
import { appendEvents, type EventOrigin, freezeEvents, shardOf } from '../events/append-events.ts'
import { type Hints, topics } from '../hints/hints.ts'
import { claimKey } from '../idempotency/idempotency.ts'
import type { RequestDigest } from '../idempotency/request-digest.ts'
import { shareOf } from './reads.ts'

/** A key to be claimed in the transaction of the effect. */
export type KeyClaim = { operation: string; key: string; digest: RequestDigest }

/** The unit of work of one call or one work step: its transaction, and the events that are committed with it. */
export type Unit = {
  readonly tx: Transaction
  /** Commits the queued writes, the events and the key in one round trip; returns the body's bytes. */
  commit(reply: Reply, claim: KeyClaim | null): Promise<string>
  /** Commits a work step, which replies to nobody. */
  finish(): Promise<void>
  rollback(): Promise<void>
}

/** How often a unit is run again after a deadlock or a serialization failure. */
export const unitAttemptsMax = 4

export function openUnit(deps: { pools: Pools; hints: Hints }, origin: EventOrigin): Unit {
  const transaction = openTransaction(deps.pools, shareOf(origin.tenant))
  const drafts: EventDraft[] = []
  /** Kinds of work, and whether somebody waits for it. */
  const kinds = new Map<string, boolean>()

  async function commitWith(reply: Reply | null, claim: KeyClaim | null): Promise<string> {
    const events = freezeEvents(drafts, origin)
    const shown = reply && events.find(({ draft }) => draft.object === reply.body)
    const body = shown?.object ?? (reply ? JSON.stringify(reply.body) : '')
    const last = appendEvents(events, origin)
    if (claim && reply) {
      last.push(
        claimKey({
          account_id: origin.tenant.accountId,
          mode: origin.tenant.mode,
          operation: claim.operation,
          key: claim.key,
          ...claim.digest,
          status: reply.status,
          headers: reply.headers ? JSON.stringify(reply.headers) : null,
          event_id: shown?.id ?? null,
          object_id: 'id' in reply.body && typeof reply.body.id === 'string' ? reply.body.id : null,
          body: shown ? null : body,
          now: origin.now,
        }),
      )
    }
    await transaction.commit(last)
    for (const shard of new Set(events.map(({ tenant }) => shardOf(tenant))))
      deps.hints.publish(topics.relay(shard))
    for (const id of new Set(drafts.map((draft) => draft.aggregateId)))
      deps.hints.publish(topics.aggregate(id))
    for (const [kind, isAwaited] of kinds) deps.hints.publish(topics.work(kind), { isAwaited })
    return body
  }

  return {
    tx: {
      rows: (statement) => transaction.rows(statement),
      maybe: async (statement) => (await transaction.rows(statement))[0] ?? null,
      write: (statement, replaces) => transaction.write(statement, replaces),
      isQueued: (name) => transaction.isQueued(name),
      emit: (event) => void drafts.push(event),
      wake: (kind, how) => void kinds.set(kind, how?.isAwaited || kinds.get(kind) || false),
    },
    commit: commitWith,
    finish: async () => void (await commitWith(null, null)),
    rollback: () => transaction.rollback(),
  }
}
