import { createHash } from 'node:crypto'
import type { Actor, EventDraft, Lane, Tenant } from '../../contract/context.ts'
import type { Statement } from '../../contract/statement.ts'
import type { Id } from '../../core/id.ts'
import { bodyWith } from './event-body.ts'

export const shardCount = 16

const lanes = { interactive: 0, normal: 1, bulk: 2 } as const satisfies Record<Lane, number>

/** An event as it will be stored: its id and bytes are fixed before it is sent. */
export type FrozenEvent = {
  readonly id: Id<'evt'>
  readonly tenant: Tenant
  readonly draft: EventDraft
  readonly actor: Actor
  readonly object: string
  readonly envelope: string | null
}

export type EventOrigin = {
  tenant: Tenant
  actor: Actor
  requestId: string
  now: Date
  newId(prefix: 'evt'): Id<'evt'>
}

/** Fixes the ids and bytes of events: every delivery of them, at any time, carries these. */
export function freezeEvents(drafts: readonly EventDraft[], origin: EventOrigin): FrozenEvent[] {
  // One change often makes two events of the same object.
  const rendered = new Map<object, string>()
  return drafts.map((draft) => {
    const object = rendered.get(draft.object) ?? JSON.stringify(draft.object)
    rendered.set(draft.object, object)
    return freezeEvent(draft, object, origin)
  })
}

function freezeEvent(draft: EventDraft, object: string, origin: EventOrigin): FrozenEvent {
  const id = draft.id ?? origin.newId('evt')
  const tenant = draft.tenant ?? origin.tenant
  return {
    id,
    tenant,
    draft,
    actor: draft.actor ?? origin.actor,
    object,
    envelope: draft.recipient
      ? bodyWith({ id, type: draft.type, mode: tenant.mode, createdAt: origin.now }, draft.recipient.data)
      : null,
  }
}

/** The inserts that store events and point the relay at them. Plain inserts, so that they can join a slice's own. */
export function appendEvents(events: readonly FrozenEvent[], origin: EventOrigin): Statement<unknown>[] {
  if (events.length === 0) return []
  return [insertEvents(events, origin), insertPointers(events)]
}

function insertEvents(events: readonly FrozenEvent[], origin: EventOrigin): Statement<unknown> {
  const values = events.flatMap(({ id, tenant, draft, actor, object, envelope }) => [
    tenant.accountId,
    tenant.mode,
    id,
    draft.type,
    draft.aggregateId,
    draft.sequence,
    draft.cartId ?? null,
    actor.type,
    actor.id,
    origin.requestId,
    object,
    draft.recipient?.accountId ?? null,
    envelope,
    origin.now,
  ])
  return { ...eventInserts(events.length), values }
}

function insertPointers(events: readonly FrozenEvent[]): Statement<unknown> {
  const values = events.flatMap(({ id, tenant, draft }) => [
    shardOf(tenant),
    lanes[draft.lane ?? 'normal'],
    id,
    tenant.accountId,
    tenant.mode,
    draft.aggregateId,
    draft.sequence,
  ])
  return { ...pointerInserts(events.length), values }
}

const eventInserts = insertsOf(
  'append_events',
  `insert into events (account_id, mode, id, type, aggregate_id, sequence, cart_id, actor_type, actor_id, request_id,
      object, recipient_account_id, envelope, created_at)`,
  14,
)

const pointerInserts = insertsOf(
  'append_pointers',
  `insert into unrelayed (shard, lane, event_id, account_id, mode, aggregate_id, sequence)`,
  7,
)

/** The statement that inserts so many rows, put together once for each number. */
function insertsOf(
  name: string,
  head: string,
  columns: number,
): (rows: number) => { name: string; text: string } {
  const known: { name: string; text: string }[] = []
  return (rows) => {
    known[rows] ??= { name: `${name}_${rows}`, text: `${head} values ${placeholders(rows, columns)}` }
    return known[rows]
  }
}

function placeholders(rows: number, columns: number): string {
  return Array.from({ length: rows }, (_, row) => {
    const cells = Array.from({ length: columns }, (_, column) => `$${row * columns + column + 1}`)
    return `(${cells.join(', ')})`
  }).join(', ')
}

const shards = new Map<string, number>()

/** Which of the relay's shards carries a tenant's events; equal in every process and version. */
export function shardOf(tenant: Tenant): number {
  const key = `${tenant.accountId}/${tenant.mode}`
  const known = shards.get(key)
  if (known !== undefined) return known
  const shard = createHash('sha256').update(key).digest().readUInt32BE(0) % shardCount
  if (shards.size < 10_000) shards.set(key, shard)
  return shard
}
