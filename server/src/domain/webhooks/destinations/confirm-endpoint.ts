import type { ActingContext } from '../../../contract/context.ts'
import type { StepContext } from '../../../platform/work/work.ts'
import {
  awaitConfirmation,
  giveUpTests,
  putOffDelivery,
  selectOpenTest,
  sendWhatWaited,
} from './confirmations.sql.ts'
import { exhaustOpenDeliveries } from './deliveries.sql.ts'
import { deliveryWork } from './delivery.ts'
import type { OutgoingDelivery } from './delivery-work.sql.ts'
import type { DestinationRow } from './destination.ts'
import { testEventType } from './event-types.ts'
import { countedHost, freeAt, placeInHour, placesFor } from './host-hour.ts'
import { queueTest } from './queue-test.ts'
import { sides } from './side.ts'
import { lockDestination, writeChange } from './write-destination.ts'

/** The columns of a destination with a new URL: its new endpoint has answered nothing yet. */
export function movedTo(endpointUrl: string, { endpoint_changes }: DestinationRow): Partial<DestinationRow> {
  // guard moved-is-unconfirmed: the endpoint of another URL has to confirm itself
  return { endpoint_url: endpointUrl, confirmed_at: null, endpoint_changes: endpoint_changes + 1 }
}

/** Queues what follows from a new endpoint of a locked destination: it gets a test, and everything else waits. */
export function confirmAnew(ctx: ActingContext, row: DestinationRow): void {
  const key = { ...tenantOf(ctx), destination_id: row.id, now: ctx.now }
  ctx.tx.write(giveUpTests(key))
  ctx.tx.write(awaitConfirmation({ ...key, id: null, lease_token: null }))
  queueTest(ctx, row, { dueAt: ctx.now })
}

/** Queues a test for a locked destination whose endpoint has not confirmed, unless one is on its way. */
export async function ensureTest(ctx: ActingContext, row: DestinationRow): Promise<void> {
  if (row.confirmed_at !== null) return
  const open = await ctx.tx.maybe(selectOpenTest({ ...tenantOf(ctx), destination_id: row.id }))
  if (open === null) queueTest(ctx, row, { dueAt: ctx.now })
}

/** Queues the end of everything that waits for an endpoint that never confirmed. */
export function giveUpWaiting(ctx: ActingContext, row: DestinationRow): void {
  ctx.tx.write(exhaustOpenDeliveries({ ...tenantOf(ctx), destination_id: row.id, now: ctx.now }))
}

/**
 * Whether a claimed delivery may be attempted: an endpoint that has not confirmed gets only tests, and a host only its hourly share of
 * them. Where it may not, it has been given back. The claim read the URL together with whether its endpoint has confirmed, so an endpoint
 * that is changed at this moment gets nothing.
 */
export async function mayLeave(ctx: StepContext, delivery: OutgoingDelivery): Promise<boolean> {
  if (delivery.event_type === testEventType) return hasPlace(ctx, delivery)
  // guard unconfirmed-gets-tests-alone: an endpoint that never opted in is sent nothing but tests
  if (delivery.confirmed) return true
  await ctx.transaction((acting) => wait(acting, delivery))
  return false
}

/** Notes that the called endpoint has answered with a 2xx, and sends what waited for that. */
export async function confirmEndpoint(ctx: StepContext, delivery: OutgoingDelivery): Promise<void> {
  const { audience, destination_id, endpoint_changes } = delivery
  await ctx.transaction(async (acting) => {
    const row = await lockDestination(acting, sides[audience], destination_id)
    if (row === null || row.status === 'archived' || row.confirmed_at !== null) return
    // The answer of an earlier endpoint proves nothing about this one.
    // guard another-endpoint-confirms-itself: the answer of the endpoint before confirms nothing of the one after
    if (row.endpoint_changes !== endpoint_changes) return
    writeChange(acting, row, 'destination.confirmed', { confirmed_at: acting.now })
    acting.tx.write(sendWhatWaited({ ...tenantOf(acting), destination_id: row.id, now: acting.now }))
    acting.tx.wake(deliveryWork)
  })
}

async function hasPlace(ctx: StepContext, delivery: OutgoingDelivery): Promise<boolean> {
  const host = countedHost(delivery.endpoint_url)
  if (host === null) return true
  const isRetry = delivery.attempt_count > delivery.series_from
  const limit = placesFor(isRetry, ctx.settings.limits.hostTests)
  const [place] = await ctx.single(placeInHour(host, delivery, { limit, now: ctx.now }))
  // guard test-takes-a-place: a host gets its hour of tests and no more
  if (place?.booked) return true
  const due = freeAt(place ?? { free_at: null }, ctx.now)
  await ctx.single(putOffDelivery({ ...keyOf(delivery), due_at: due }))
  return false
}

async function wait(ctx: ActingContext, delivery: OutgoingDelivery): Promise<void> {
  const { id, lease_token, destination_id, audience } = delivery
  const row = await lockDestination(ctx, sides[audience], destination_id)
  if (row === null) throw new Error('a delivery without its destination')
  if (row.confirmed_at === null) {
    const key = { ...tenantOf(ctx), destination_id, now: ctx.now }
    ctx.tx.write(awaitConfirmation({ ...key, id, lease_token }))
    await ensureTest(ctx, row)
  } else {
    // It has confirmed since the delivery was claimed.
    ctx.tx.write(putOffDelivery({ ...keyOf(delivery), due_at: ctx.now }))
  }
  ctx.tx.wake(deliveryWork)
}

function keyOf({ account_id, mode, id, lease_token, destination_id }: OutgoingDelivery) {
  return { account_id, mode, id, lease_token, destination_id }
}

function tenantOf({ tenant }: Pick<ActingContext, 'tenant'>) {
  return { account_id: tenant.accountId, mode: tenant.mode }
}
