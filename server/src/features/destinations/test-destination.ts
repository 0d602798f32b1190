import type { CallContext } from '../../contract/context.ts'
import { defineOperation, type Operation, reply } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { Closed } from '../../contract/schemas.ts'
import type { Id } from '../../core/id.ts'
import { assertDeliverable } from './deliverable.ts'
import { type DeliveryWrite, insertDelivery, selectDeliveryById } from './deliveries.sql.ts'
import { type Delivery, type DeliveryRow, deliveryWork, renderDelivery } from './delivery.ts'
import { renderDestination } from './destination.ts'
import { updateDestinationRow } from './destinations.sql.ts'
import { testEventType } from './event-types.ts'
import type { Side } from './side.ts'
import { takeDestinationRate } from './take-destination-rate.ts'
import { lockDestination, writeOf } from './write-destination.ts'

/** How long a caller waits for the first attempt. */
const waitMs = 10_000

export function testDestination(side: Side): Operation {
  return defineOperation({
    id: `v1_test_${side.noun}`,
    method: 'POST',
    path: `${side.path}/{${side.param}}/test`,
    auth: 'secret',
    scope: side.scopes.write,
    tag: side.tag,
    summary: 'Send a signed test event',
    description:
      'Delivers `destination.test` like any other event and answers the delivery after its first attempt, or after ten seconds as it ' +
      'is then. Works in both modes and buys nothing.',
    params: Closed(side.params),
    responses: { 200: side.delivery },
    problems: ['not_found', 'destination_disabled', 'destination_archived'],
    replay: 'current',
    async handle(ctx, { path }) {
      const { accountId, mode } = ctx.tenant
      const tenant = { account_id: accountId, mode }
      const row = await lockDestination(ctx, side, side.idIn(path))
      if (!row) throw new Problem('not_found', { param: side.param })
      assertDeliverable(row)
      await takeDestinationRate(ctx, 'test', row.id)
      const tested = { ...row, seq: row.seq + 1, updated_at: ctx.now }
      ctx.tx.write(updateDestinationRow(writeOf(tested, ctx)))
      const write: DeliveryWrite = {
        ...tenant,
        id: ctx.newId('dlv'),
        destination_id: row.id,
        event_id: ctx.newId('evt'),
        event_account_id: accountId,
        event_type: testEventType,
        aggregate_id: row.id,
        sequence: tested.seq,
        now: ctx.now,
      }
      // Somebody waits: the delivery does not wait for the relay.
      ctx.tx.write(insertDelivery(write))
      ctx.tx.emit({
        id: write.event_id,
        type: testEventType,
        aggregateId: row.id,
        sequence: tested.seq,
        object: renderDestination(tested, mode),
        recipient: { accountId, data: { destination: { id: row.id, name: row.name } } },
        lane: 'interactive',
      })
      ctx.tx.wake(deliveryWork)
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

async function firstAttempt(ctx: CallContext, deliveryId: Id<'dlv'>): Promise<Delivery | null> {
  const { accountId, mode } = ctx.tenant
  const row = await ctx.waitFor(deliveryId, waitMs, async () => {
    const now = await ctx.reads.maybe(selectDeliveryById({ account_id: accountId, mode, id: deliveryId }))
    return now && now.attempt_count > 0 ? now : null
  })
  return row && renderDelivery(row, ctx)
}

function newDelivery(write: DeliveryWrite): DeliveryRow {
  return {
    id: write.id,
    destination_id: write.destination_id,
    destination_status: 'enabled',
    event_id: write.event_id,
    event_type: write.event_type,
    status: 'pending',
    attempt_count: 0,
    due_at: write.now,
    leased: false,
    response_received_at: null,
    response_accepted: null,
    seq: 0,
    created_at: write.now,
    updated_at: write.now,
    attempts: [],
  }
}
