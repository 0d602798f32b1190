import { defineOperation, reply } from '../../contract/operation.ts'
import { pageOf, renderList, totalCap } from '../../contract/page.ts'
import { Problem } from '../../contract/problem.ts'
import { Closed, ListOf, Page } from '../../contract/schemas.ts'
import { countDeliveries, selectDeliveries } from './deliveries.sql.ts'
import { Delivery, renderDelivery } from './delivery.ts'
import { DestinationParams } from './destination.ts'
import { selectDestination } from './destinations.sql.ts'

const limitDefault = 50

export const listDestinationEvents = defineOperation({
  id: 'v1_list_merchant_destination_events',
  method: 'GET',
  path: '/v1/merchant/destinations/{destination_id}/events',
  auth: 'secret',
  scope: 'merchant:read',
  tag: 'Merchant destinations',
  summary: 'List the deliveries of a destination, newest first',
  params: Closed(DestinationParams),
  query: Closed(Page(limitDefault, 200)),
  responses: { 200: ListOf(Delivery, 'MerchantDeliveryList') },
  problems: ['not_found'],
  async handle(ctx, { path, query }) {
    const page = pageOf(query, limitDefault)
    const tenant = { account_id: ctx.tenant.accountId, mode: ctx.tenant.mode }
    const key = { ...tenant, destination_id: path.destination_id }
    const [destination, rows, count] = await Promise.all([
      ctx.reads.maybe(selectDestination({ ...tenant, id: path.destination_id })),
      ctx.reads.rows(selectDeliveries({ ...key, ...page })),
      ctx.reads.maybe(countDeliveries({ ...key, cap: totalCap })),
    ])
    if (!destination) throw new Problem('not_found', { param: 'destination_id' })
    return reply(
      200,
      renderList(rows, count?.counted ?? 0, page, (row) => renderDelivery(row, ctx.tenant.mode)),
    )
  },
})
