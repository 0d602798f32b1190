import { defineOperation, reply } from '../../../contract/operation.ts'
import { Closed } from '../../../contract/schemas.ts'
import { MppApi, MppApiParams } from './mpp-api.ts'
import { changeMppApi } from './write-mpp-api.ts'

export const archiveMppApi = defineOperation({
  id: 'v1_archive_merchant_mpp_api',
  method: 'POST',
  path: '/v1/merchant/mpp_apis/{mpp_api_id}/archive',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'MPP APIs',
  summary: 'Archive a paid API of your own',
  description:
    'This cannot be undone. It is no longer shown to payers; whether it still answers them is up to you. Archiving it again changes nothing.',
  destructive: true,
  params: Closed(MppApiParams),
  responses: { 200: MppApi },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    const api = await changeMppApi(ctx, path.mpp_api_id, 'mpp_api.archived', (row) =>
      row.status === 'archived' ? {} : { status: 'archived', archived_at: ctx.now },
    )
    return reply(200, api)
  },
})
