import type { ActingContext, CallContext } from '../../../contract/context.ts'
import { rateLimited } from '../../../contract/limit-refusals.ts'
import { defineOperation, type Operation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed } from '../../../contract/schemas.ts'
import type { Id } from '../../../core/id.ts'
import { giveUpTests } from './confirmations.sql.ts'
import { assertDeliverable } from './deliverable.ts'
import { selectDeliveryById } from './deliveries.sql.ts'
import { type Delivery, type DeliveryRow, renderDelivery } from './delivery.ts'
import type { DestinationRow } from './destination.ts'
import { countedHost, freeAt, hostWindowSeconds, placeInHour } from './host-hour.ts'
import { type QueuedTest, queueTest } from './queue-test.ts'
import type { Side } from './side.ts'
import { takeDestinationRate } from './take-destination-rate.ts'
import { lockDestination } from './write-destination.ts'

/** How many milliseconds a caller waits for the first attempt. */
const waitMs = 10_000

export function testDestination(side: Side): Operation {
  return defineOperation({
    id: `v1_test_${side.noun}`,
    method: 'POST',
    path: `${side.path}/{${side.param}}/test`,
    auth: 'secret',
    scope: side.scopes.write,
    tag: side.tag,
    summary: `Test ${side.one}`,
    description:
      'Sends a signed `destination.test` event and shows the delivery after its first attempt, or as it is after ten seconds. Works in test ' +
      'and live mode and buys nothing. One host gets at most five tests an hour, from all accounts together.',
    params: Closed(side.params),
    responses: { 200: side.delivery },
    answers: { 429: 'A sixth test of one host within an hour has the scope `destination_host`.' },
    problems: ['not_found', 'destination_disabled', 'destination_archived'],
    replay: 'current',
    async handle(ctx, { path }) {
      const { accountId, mode } = ctx.tenant
      const tenant = { account_id: accountId, mode }
      const row = await lockDestination(ctx, side, side.idIn(path))
      if (!row) throw new Problem('not_found', { param: side.param })
      assertDeliverable(row)
      await takeDestinationRate(ctx, 'test', row.id)
      const id = ctx.newId('dlv')
      await bookPlace(ctx, row, id)
      ctx.tx.write(giveUpTests({ ...tenant, destination_id: row.id, now: ctx.now }))
      const write = queueTest(ctx, row, { id, dueAt: ctx.now })
      const queued = renderDelivery(newDelivery(write), ctx)
      return reply(200, queued, {
        settle: async () => reply(200, (await firstAttempt(ctx, write.id)) ?? queued),
      })
    },
    async current(ctx, objectId) {
      const row = await ctx.reads.maybe(
        selectDeliveryById({ account_id: ctx.tenant.accountId, mode: ctx.tenant.mode, id: objectId }),
      )
      if (!row) throw new Problem('not_found')
      return reply(200, renderDelivery(row, ctx))
    },
  })
}

/** The first attempt is counted before it is promised: a delivery that waits for a place would keep it from others for hours. */
async function bookPlace(ctx: ActingContext, row: DestinationRow, deliveryId: Id<'dlv'>): Promise<void> {
  const host = countedHost(row.endpoint_url)
  if (host === null) return
  const limit = ctx.settings.limits.hostTests
  const first = { id: deliveryId, lease_token: 1n }
  const place = await ctx.tx.maybe(placeInHour(host, first, { limit, now: ctx.now }))
  if (place?.booked) return
  const free = freeAt(place ?? { free_at: null }, ctx.now)
  throw rateLimited({
    scope: 'destination_host',
    limit,
    windowSeconds: hostWindowSeconds,
    retryAfterSeconds: (free.getTime() - ctx.now.getTime()) / 1000,
  })
}

async function firstAttempt(ctx: CallContext, deliveryId: Id<'dlv'>): Promise<Delivery | null> {
  const { accountId, mode } = ctx.tenant
  const row = await ctx.waitFor(deliveryId, waitMs, async () => {
    const now = await ctx.reads.maybe(selectDeliveryById({ account_id: accountId, mode, id: deliveryId }))
    return now && now.attempt_count > 0 ? now : null
  })
  return row && renderDelivery(row, ctx)
}

function newDelivery(write: QueuedTest): DeliveryRow {
  return {
    id: write.id,
    destination_id: write.destination_id,
    destination_status: 'enabled',
    event_id: write.event_id,
    event_type: write.event_type,
    status: 'pending',
    attempt_count: 0,
    due_at: write.due_at,
    leased: false,
    response_received_at: null,
    response_accepted: null,
    seq: 0,
    created_at: write.now,
    updated_at: write.now,
    attempts: [],
  }
}
