import { createHash } from 'node:crypto'
import type { Actor, EventDraft, Lane, Tenant } from '../../contract/context.ts'
import { alone, type Many, type Statement } from '../../contract/statement.ts'
import type { Id, IdPrefix } from '../../core/id.ts'
import { visibleJson } from '../../core/visible-text.ts'
import { digestOfEvent } from '../audit/event-digest.ts'
import type { AtOnce } from './at-once.ts'
import { bodyWith } from './event-body.ts'
import type { RelayedEvent } from './follower.ts'
import { insertOutbox, type OutboxArrays } from './outbox.sql.ts'
import { packText } from './packed-text.ts'

export const shardCount = 16

const lanes = { interactive: 0, normal: 1, bulk: 2 } as const satisfies Record<Lane, number>

/** An event as it will be stored: its id and bytes are fixed before it is sent. */
type FrozenEvent = {
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
  newId<P extends IdPrefix>(prefix: P): Id<P>
}

/** Fixes the ids and bytes of events: every delivery of them, at any time, carries the same ones. */
export function freezeEvents(drafts: readonly EventDraft[], origin: EventOrigin): FrozenEvent[] {
  // One change often makes two events of the same object.
  const rendered = new Map<object, string>()
  return drafts.map((draft) => {
    const object = rendered.get(draft.object) ?? visibleJson(JSON.stringify(draft.object))
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

/** What is written for the events of a transaction, and whom it concerns afterwards. */
type Appended = {
  /** The last statements of the transaction. Plain inserts, where they can be, so that they can join a slice's own. */
  readonly statements: readonly Statement<unknown>[]
  /** Shards whose relay has something to do that somebody waits for. */
  readonly shards: readonly number[]
  /** The kind of work that is due, if the transaction made some. */
  readonly wakes: string | null
  /** The tables of what the transaction makes at once. */
  readonly into: readonly string[]
}

/** What stores events, makes their deliveries where that is possible at once, and leaves the rest to the relay. */
export function appendEvents(events: readonly FrozenEvent[], origin: EventOrigin, atOnce: AtOnce): Appended {
  if (events.length === 0) return { statements: [], shards: [], wakes: null, into: [] }
  const relayed = new Map(events.map((event) => [event, toRelayed(event, origin)]))
  const acts = atOnce.act({ events: [...relayed.values()], now: origin.now, newId: origin.newId })
  const ranges = rangesOf(events)
  const isFollowed = ({ draft }: FrozenEvent) => acts !== null && !atOnce.isWantedLater(draft.type)
  const followed = ranges.map((range) => range.every(isFollowed))
  const isWantedSoon = ({ draft }: FrozenEvent) => acts === null || atOnce.isWantedSoon(draft.type)
  const outbox: OutboxArrays = {
    ...columnsOf(ranges),
    followed,
    digests: ranges.map((range) =>
      Buffer.concat(range.flatMap((event) => relayed.get(event) ?? []).map(digestOfEvent)),
    ),
    now: origin.now,
    acted: acts && atOnce.follower,
    known_account_ids: acts?.known.map(({ tenant }) => tenant.accountId) ?? [],
    known_modes: acts?.known.map(({ tenant }) => tenant.mode) ?? [],
    versions: acts?.known.map(({ version }) => version.toString()) ?? [],
  }
  return {
    statements: [insertEvents(events, origin), acts?.write?.(outbox) ?? alone(insertOutbox(outbox))],
    shards: [...new Set(events.filter(isWantedSoon).map(({ tenant }) => shardOf(tenant)))],
    wakes: acts?.write ? acts.wakes : null,
    into: acts?.write ? acts.into : [],
  }
}

/** Events of one aggregate that follow one another: one row for the relay. */
type EventRange = [FrozenEvent, ...FrozenEvent[]]

function rangesOf(events: readonly FrozenEvent[]): EventRange[] {
  const open = new Map<string, EventRange>()
  const ranges: EventRange[] = []
  for (const event of events) {
    const key = `${event.tenant.accountId}/${event.tenant.mode}/${event.draft.aggregateId}`
    const range = open.get(key)
    if (range?.at(-1)?.draft.sequence === event.draft.sequence - 1) range.push(event)
    else {
      const begun: EventRange = [event]
      open.set(key, begun)
      ranges.push(begun)
    }
  }
  return ranges
}

function columnsOf(ranges: readonly EventRange[]) {
  return {
    shards: ranges.map(([{ tenant }]) => shardOf(tenant)),
    // The most urgent of its events takes the others with it.
    lanes: ranges.map((range) => Math.min(...range.map(({ draft }) => lanes[draft.lane ?? 'normal']))),
    account_ids: ranges.map(([{ tenant }]) => tenant.accountId),
    modes: ranges.map(([{ tenant }]) => tenant.mode),
    aggregate_ids: ranges.map(([{ draft }]) => draft.aggregateId),
    firsts: ranges.map(([{ draft }]) => draft.sequence),
    lasts: ranges.map((range) => range[0].draft.sequence + range.length - 1),
  }
}

function insertEvents(events: readonly FrozenEvent[], origin: EventOrigin): Statement<unknown> {
  const places = new Map<string, number>()
  const values = events.flatMap(({ id, tenant, draft, actor, object, envelope }) => {
    const shown = `${tenant.accountId}/${tenant.mode}/${draft.aggregateId}/${object}`
    const objectAt = places.get(shown) ?? null
    if (objectAt === null) places.set(shown, draft.sequence)
    return [
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
      objectAt === null ? packText(object) : null,
      objectAt,
      draft.recipient?.accountId ?? null,
      envelope === null ? null : packText(envelope),
      origin.now,
    ]
  })
  return { ...eventInserts(events.length), values, many: manyEvents }
}

function toRelayed(
  { id, tenant, draft, actor, object, envelope }: FrozenEvent,
  origin: EventOrigin,
): RelayedEvent {
  return {
    id,
    type: draft.type,
    tenant,
    aggregateId: draft.aggregateId,
    sequence: draft.sequence,
    cartId: draft.cartId ?? null,
    actor,
    requestId: origin.requestId,
    object,
    recipientAccountId: draft.recipient?.accountId ?? null,
    envelope,
    createdAt: origin.now,
    isHeard: true,
    isDelivered: false,
  }
}

const eventColumns = `account_id, mode, id, type, aggregate_id, sequence, cart_id, actor_type, actor_id, request_id, object_bytes,
     object_at, recipient_account_id, envelope_bytes, created_at`
const width = eventColumns.split(',').length
const eventInserts = insertsOf('append_events', `insert into event_rows (${eventColumns})`, width)

/** The events of several transactions: an array for each column, so that the text is the same for any number of them. */
const manyEvents: Many = {
  key: 'append_events',
  together: (values) => {
    const cells = values.flat()
    return {
      name: 'append_events_for_many',
      text: `insert into event_rows (${eventColumns})
       select /* tenantless: each row names its own */ * from unnest($1::text[], $2::mode[], $3::text[], $4::text[], $5::text[], $6::int[],
         $7::text[], $8::text[], $9::text[], $10::text[], $11::bytea[], $12::int[], $13::text[], $14::bytea[], $15::timestamptz[])`,
      values: Array.from({ length: width }, (_, column) =>
        cells.flatMap((cell, place) =>
          place % width === column ? [cell instanceof Date ? cell.toISOString() : cell] : [],
        ),
      ),
      isAlone: true,
    }
  },
}

/** The statement that inserts this many rows; it is built once for each number. */
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

/** The relay's shard that carries a tenant's events; equal in every process and version. */
export function shardOf(tenant: Tenant): number {
  const key = `${tenant.accountId}/${tenant.mode}`
  const known = shards.get(key)
  if (known !== undefined) return known
  const shard = createHash('sha256').update(key).digest().readUInt32BE(0) % shardCount
  if (shards.size < 10_000) shards.set(key, shard)
  return shard
}
