import { getOperation, listOperation } from '../../../contract/read-operations.ts'
import { Filter } from '../../../contract/schemas.ts'
import { MppApi, MppApiParams, MppApiStatus, renderMppApi } from './mpp-api.ts'
import { countMppApis, selectMppApi, selectMppApis } from './mpp-apis.sql.ts'

export const getMppApi = getOperation({
  id: 'v1_get_merchant_mpp_api',
  path: '/v1/merchant/mpp_apis/{mpp_api_id}',
  scope: 'merchant:read',
  tag: 'MPP APIs',
  summary: 'Read a paid API of your own',
  description: 'Shows its address, what it costs and whether it is published.',
  params: MppApiParams,
  shows: MppApi,
  row: selectMppApi,
  render: (row, ctx) => renderMppApi(row, ctx.tenant.mode),
})

export const listMppApis = listOperation({
  id: 'v1_list_merchant_mpp_apis',
  path: '/v1/merchant/mpp_apis',
  scope: 'merchant:read',
  tag: 'MPP APIs',
  summary: 'List paid APIs of your own, newest first',
  description: 'Archived ones are in the list too; narrow it with `status`.',
  filters: { status: Filter(MppApiStatus, 'Only those in this status.') },
  lists: [MppApi, 'MppApiList'],
  rows: selectMppApis,
  count: countMppApis,
  render: (row, ctx) => renderMppApi(row, ctx.tenant.mode),
})
