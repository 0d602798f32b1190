import { defineOperation, reply } from '../../../contract/operation.ts'
import { objectsPerAccountMax, pageOf, readList } from '../../../contract/page.ts'
import { Closed, ListOf, Page } from '../../../contract/schemas.ts'
import { BusinessLocation, renderLocation } from './location.ts'
import { countLocations, selectLocations } from './locations.sql.ts'

export const listBusinessLocations = defineOperation({
  id: 'v1_list_business_locations',
  method: 'GET',
  path: '/v1/business_locations',
  auth: 'secret',
  scope: 'merchant:read',
  tag: 'Business locations',
  summary: 'List business locations, newest first',
  description: 'Shows where goods leave from or are picked up. Archived locations are in the list too.',
  query: Closed(Page(objectsPerAccountMax, objectsPerAccountMax)),
  responses: { 200: ListOf(BusinessLocation, 'BusinessLocationList') },
  async handle(ctx, { query }) {
    const page = pageOf(query, objectsPerAccountMax)
    const tenant = { account_id: ctx.tenant.accountId, mode: ctx.tenant.mode }
    const list = await readList(ctx.reads, {
      page,
      rows: selectLocations({ ...tenant, ...page }),
      count: countLocations(tenant),
      render: (row) => renderLocation(row, ctx.tenant.mode),
    })
    return reply(200, list)
  },
})
