import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed } from '../../../contract/schemas.ts'
import { MppApi, MppApiParams, renderMppApi } from './mpp-api.ts'
import { selectMppApi } from './mpp-apis.sql.ts'

export const getMppApi = defineOperation({
  id: 'v1_get_merchant_mpp_api',
  method: 'GET',
  path: '/v1/merchant/mpp_apis/{mpp_api_id}',
  auth: 'secret',
  scope: 'merchant:read',
  tag: 'MPP APIs',
  summary: 'Read a paid API of your own',
  description: 'Shows its address, what it costs and whether it is published.',
  params: Closed(MppApiParams),
  responses: { 200: MppApi },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    const { accountId, mode } = ctx.tenant
    const row = await ctx.reads.maybe(selectMppApi({ account_id: accountId, mode, id: path.mpp_api_id }))
    if (!row) throw new Problem('not_found', { param: 'mpp_api_id' })
    return reply(200, renderMppApi(row, mode))
  },
})
