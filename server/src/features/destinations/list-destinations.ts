import { defineOperation, reply } from '../../contract/operation.ts'
import { objectsPerAccountMax, pageOf, renderList } from '../../contract/page.ts'
import { Closed, ListOf, Page } from '../../contract/schemas.ts'
import { Destination, renderDestination } from './destination.ts'
import { countDestinations, selectDestinations } from './destinations.sql.ts'

export const listDestinations = defineOperation({
  id: 'v1_list_merchant_destinations',
  method: 'GET',
  path: '/v1/merchant/destinations',
  auth: 'secret',
  scope: 'merchant:read',
  tag: 'Merchant destinations',
  summary: 'List destinations, newest first',
  query: Closed(Page(objectsPerAccountMax, objectsPerAccountMax)),
  responses: { 200: ListOf(Destination, 'MerchantDestinationList') },
  async handle(ctx, { query }) {
    const page = pageOf(query, objectsPerAccountMax)
    const tenant = { account_id: ctx.tenant.accountId, mode: ctx.tenant.mode }
    const [rows, count] = await Promise.all([
      ctx.reads.rows(selectDestinations({ ...tenant, ...page })),
      ctx.reads.maybe(countDestinations(tenant)),
    ])
    return reply(
      200,
      renderList(rows, count?.counted ?? 0, page, (row) => renderDestination(row, ctx.tenant.mode)),
    )
  },
})
