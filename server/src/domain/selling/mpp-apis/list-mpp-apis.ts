import { defineOperation, reply } from '../../../contract/operation.ts'
import { pageOf, readList, totalCap } from '../../../contract/page.ts'
import { Closed, Filter, ListOf, Page } from '../../../contract/schemas.ts'
import { MppApi, MppApiStatus, renderMppApi } from './mpp-api.ts'
import { countMppApis, selectMppApis } from './mpp-apis.sql.ts'

const limitDefault = 50

export const listMppApis = defineOperation({
  id: 'v1_list_merchant_mpp_apis',
  method: 'GET',
  path: '/v1/merchant/mpp_apis',
  auth: 'secret',
  scope: 'merchant:read',
  tag: 'MPP APIs',
  summary: 'List paid APIs of your own, newest first',
  description: 'Archived ones are in the list too; narrow it with `status`.',
  query: Closed({ status: Filter(MppApiStatus, 'Only those in this status.'), ...Page(limitDefault, 200) }),
  responses: { 200: ListOf(MppApi, 'MppApiList') },
  async handle(ctx, { query }) {
    const page = pageOf(query, limitDefault)
    const { accountId, mode } = ctx.tenant
    const filter = { account_id: accountId, mode, status: query.status ?? null }
    const list = await readList(ctx.reads, {
      page,
      rows: selectMppApis({ ...filter, ...page }),
      count: countMppApis({ ...filter, cap: totalCap }),
      render: (row) => renderMppApi(row, mode),
    })
    return reply(200, list)
  },
})
