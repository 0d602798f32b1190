import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed } from '../../../contract/schemas.ts'
import { readMerchant } from '../merchant/public.ts'
import { MppApi, MppApiParams, MppApiUpdate } from './mpp-api.ts'
import { changeMppApi, writtenFields } from './write-mpp-api.ts'

export const updateMppApi = defineOperation({
  id: 'v1_update_merchant_mpp_api',
  method: 'POST',
  path: '/v1/merchant/mpp_apis/{mpp_api_id}',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'MPP APIs',
  summary: 'Update a paid API of your own',
  description:
    'Fields you leave out stay as they are; `request_schema`, `offers`, `categories` and `metadata` are replaced as a whole.',
  params: Closed(MppApiParams),
  body: MppApiUpdate,
  examples: {
    price: {
      summary: 'Change what it costs',
      body: { offers: [{ intent: 'charge', method: 'stripe', amount: '30', currency: 'usd' }] },
    },
  },
  responses: { 200: MppApi },
  problems: ['not_found', 'mpp_api_archived'],
  async handle(ctx, { path, body }) {
    const merchant = body.url === undefined ? null : await readMerchant(ctx.reads, ctx.tenant)
    const api = await changeMppApi(ctx, path.mpp_api_id, 'mpp_api.updated', (row) => {
      if (row.status === 'archived') throw new Problem('mpp_api_archived')
      return writtenFields({ ...ctx, domain: merchant?.domain ?? null }, body)
    })
    return reply(200, api)
  },
})
