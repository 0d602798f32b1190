import type { ActingContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import { listenToTenant } from '../../../platform/events/listeners.sql.ts'
import { type Destination, type DestinationRow, renderDestination } from './destination.ts'
import {
  closeSubscriptions,
  type DestinationWrite,
  lockDestinationForShare,
  openSubscriptions,
  selectDestination,
  updateDestinationRow,
} from './destinations.sql.ts'
import { deliveredTypes } from './event-types.ts'
import type { destinationEvents } from './events.ts'
import type { Side } from './side.ts'

type DestinationEvent = Exclude<
  Extract<keyof typeof destinationEvents, `destination.${string}`>,
  'destination.test'
>

type DestinationChanges = Partial<Omit<DestinationRow, 'id' | 'seq' | 'created_at' | 'updated_at'>>

/**
 * Changes one destination: locks it, lets `change` decide (it may throw a refusal), writes the row, its subscriptions from now on, and
 * the event. A null change writes nothing.
 */
export async function changeDestination(
  ctx: ActingContext,
  { audience, param }: Pick<Side, 'audience' | 'param'>,
  destinationId: string,
  type: DestinationEvent,
  change: (row: DestinationRow) => DestinationChanges | null,
): Promise<Destination> {
  const { mode } = ctx.tenant
  const row = await lockDestination(ctx, { audience }, destinationId)
  if (!row) throw new Problem('not_found', { param })
  const changes = change(row)
  return renderDestination(changes === null ? row : writeChange(ctx, row, type, changes), mode)
}

/** Queues a change of a locked destination: its row, its subscriptions from now on, and the event. Returns the changed row. */
export function writeChange(
  ctx: ActingContext,
  row: DestinationRow,
  type: DestinationEvent,
  changes: DestinationChanges,
): DestinationRow {
  const changed = { ...row, ...changes, seq: row.seq + 1, updated_at: ctx.now }
  ctx.tx.write(updateDestinationRow(writeOf(changed, ctx)))
  writeSubscriptions(ctx, row, changed)
  const object = renderDestination(changed, ctx.tenant.mode)
  ctx.tx.emit({ type, aggregateId: row.id, sequence: changed.seq, object })
  return changed
}

/** Locks a destination until the transaction ends, and reads it under the lock, with its secrets. */
export async function lockDestination(
  ctx: ActingContext,
  { audience }: Pick<Side, 'audience'>,
  destinationId: string,
): Promise<DestinationRow | null> {
  const key = { account_id: ctx.tenant.accountId, mode: ctx.tenant.mode, audience, id: destinationId }
  const [, row] = await Promise.all([
    ctx.tx.maybe(lockDestinationForShare(key)),
    ctx.tx.maybe(selectDestination(key)),
  ])
  return row
}

/** A row as statements take it. */
export function writeOf(row: DestinationRow, { tenant }: Pick<ActingContext, 'tenant'>): DestinationWrite {
  return { ...row, account_id: tenant.accountId, mode: tenant.mode, metadata: JSON.stringify(row.metadata) }
}

/**
 * Each event is matched with the subscriptions at its time, however late the relay handles it. So subscriptions are periods of time, and
 * nothing is delivered for a period in which a destination was disabled.
 */
export function writeSubscriptions(
  ctx: ActingContext,
  before: DestinationRow | null,
  after: DestinationRow,
): void {
  const old = before ? activeTypes(before) : []
  const wanted = activeTypes(after)
  const ended = old.filter((type) => !wanted.includes(type))
  const begun = wanted.filter((type) => !old.includes(type))
  const key = {
    account_id: ctx.tenant.accountId,
    mode: ctx.tenant.mode,
    destination_id: after.id,
    now: ctx.now,
  }
  if (ended.length > 0) ctx.tx.write(closeSubscriptions({ ...key, types: ended }))
  if (begun.length === 0) return
  ctx.tx.write(openSubscriptions({ ...key, types: begun, seq: after.seq }))
  const { account_id, mode, now } = key
  if (after.audience === 'buyer') ctx.tx.write(listenToTenant({ account_id, mode, now }))
}

function activeTypes(row: DestinationRow): string[] {
  return row.status === 'enabled' ? deliveredTypes(row) : []
}
