import { defineOperation, reply } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { Closed } from '../../contract/schemas.ts'
import { assertDeliverable } from './deliverable.ts'
import { lockDelivery, requeueDelivery } from './deliveries.sql.ts'
import { Delivery, DeliveryParams, deliveryWork, renderDelivery } from './delivery.ts'
import { DestinationParams } from './destination.ts'
import { selectDestination } from './destinations.sql.ts'

export const redeliverDestinationEvent = defineOperation({
  id: 'v1_redeliver_merchant_destination_event',
  method: 'POST',
  path: '/v1/merchant/destinations/{destination_id}/events/{event_id}/redeliver',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Merchant destinations',
  summary: 'Deliver an event again',
  description:
    'Due at once, whatever became of it before: the same bytes and the same event id, with a new series of retries.',
  params: Closed({ ...DestinationParams, ...DeliveryParams }),
  responses: { 200: Delivery },
  problems: ['not_found', 'destination_disabled', 'destination_archived', 'delivery_not_redeliverable'],
  async handle(ctx, { path }) {
    const { mode, accountId } = ctx.tenant
    const tenant = { account_id: accountId, mode }
    const destination = await ctx.reads.maybe(selectDestination({ ...tenant, id: path.destination_id }))
    if (!destination) throw new Problem('not_found', { param: 'destination_id' })
    const row = await ctx.tx.maybe(lockDelivery({ ...tenant, ...path }))
    if (!row) throw new Problem('not_found', { param: 'event_id' })
    assertDeliverable(destination)
    if (row.leased) throw new Problem('delivery_not_redeliverable')
    const seq = row.seq + 1
    ctx.tx.write(requeueDelivery({ ...tenant, id: row.id, seq, now: ctx.now }))
    const requeued = { ...row, status: 'pending' as const, due_at: ctx.now, seq, updated_at: ctx.now }
    const delivery = renderDelivery(requeued, mode)
    ctx.tx.emit({ type: 'delivery.requeued', aggregateId: row.id, sequence: seq, object: delivery })
    ctx.tx.wake(deliveryWork)
    return reply(200, delivery)
  },
})
