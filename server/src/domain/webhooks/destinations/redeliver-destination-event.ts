import { defineOperation, type Operation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed } from '../../../contract/schemas.ts'
import { assertDeliverable } from './deliverable.ts'
import { lockDelivery, requeueDelivery } from './deliveries.sql.ts'
import { deliveryParams, deliveryWork, renderDelivery } from './delivery.ts'
import { selectDestination } from './destinations.sql.ts'
import type { Side } from './side.ts'
import { takeDestinationRate } from './take-destination-rate.ts'

export function redeliverDestinationEvent(side: Side): Operation {
  return defineOperation({
    id: `v1_redeliver_${side.noun}_event`,
    method: 'POST',
    path: `${side.path}/{${side.param}}/events/{event_id}/redeliver`,
    auth: 'secret',
    scope: side.scopes.write,
    tag: side.tag,
    summary: `Redeliver an event to ${side.one}`,
    description:
      'It is sent at once, whatever happened to it before: the same bytes and the same event id, with a new series of retries.',
    params: Closed({ ...side.params, ...deliveryParams }),
    responses: { 200: side.delivery },
    problems: ['not_found', 'destination_disabled', 'destination_archived', 'delivery_not_redeliverable'],
    async handle(ctx, { path }) {
      const { mode, accountId } = ctx.tenant
      const tenant = { account_id: accountId, mode }
      const destination = await ctx.reads.maybe(
        selectDestination({ ...tenant, audience: side.audience, id: side.idIn(path) }),
      )
      if (!destination) throw new Problem('not_found', { param: side.param })
      const row = await ctx.tx.maybe(
        lockDelivery({ ...tenant, destination_id: side.idIn(path), event_id: path.event_id }),
      )
      if (!row) throw new Problem('not_found', { param: 'event_id' })
      assertDeliverable(destination)
      if (row.leased) throw new Problem('delivery_not_redeliverable')
      await takeDestinationRate(ctx, 'redeliver', destination.id)
      const seq = row.seq + 1
      ctx.tx.write(requeueDelivery({ ...tenant, id: row.id, seq, now: ctx.now }))
      const requeued = { ...row, status: 'pending' as const, due_at: ctx.now, seq, updated_at: ctx.now }
      // The reply is stored, and shown to any key that repeats the request.
      const delivery = renderDelivery(requeued, { ...ctx, scopes: new Set() })
      ctx.tx.emit({ type: 'delivery.requeued', aggregateId: row.id, sequence: seq, object: delivery })
      ctx.tx.wake(deliveryWork)
      return reply(200, delivery)
    },
  })
}
