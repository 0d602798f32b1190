import { defineOperation, reply } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { Closed } from '../../contract/schemas.ts'
import { selectDelivery } from './deliveries.sql.ts'
import { Delivery, DeliveryParams, renderDelivery } from './delivery.ts'
import { DestinationParams } from './destination.ts'
import { selectDestination } from './destinations.sql.ts'

export const getDestinationEvent = defineOperation({
  id: 'v1_get_merchant_destination_event',
  method: 'GET',
  path: '/v1/merchant/destinations/{destination_id}/events/{event_id}',
  auth: 'secret',
  scope: 'merchant:read',
  tag: 'Merchant destinations',
  summary: 'Read one delivery with its attempts',
  params: Closed({ ...DestinationParams, ...DeliveryParams }),
  responses: { 200: Delivery },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    const { mode, accountId } = ctx.tenant
    const tenant = { account_id: accountId, mode }
    const [destination, row] = await Promise.all([
      ctx.reads.maybe(selectDestination({ ...tenant, id: path.destination_id })),
      ctx.reads.maybe(selectDelivery({ ...tenant, ...path })),
    ])
    if (!destination) throw new Problem('not_found', { param: 'destination_id' })
    if (!row) throw new Problem('not_found', { param: 'event_id' })
    return reply(200, renderDelivery(row, mode))
  },
})
