import { defineOperation, reply } from '../../../contract/operation.ts'
import { Closed } from '../../../contract/schemas.ts'
import { Promotion, PromotionParams } from './promotion.ts'
import { movePromotion } from './write-promotion.ts'

export const archivePromotion = defineOperation({
  id: 'v1_archive_promotion',
  method: 'POST',
  path: '/v1/promotions/{promotion_id}/archive',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Promotions',
  summary: 'Archive a promotion',
  description: 'Works for a draft and for a promotion that has ended. Archiving it again changes nothing.',
  destructive: true,
  params: Closed(PromotionParams),
  responses: { 200: Promotion },
  problems: ['not_found', 'promotion_state_conflict'],
  async handle(ctx, { path }) {
    const move = {
      trigger: 'archive',
      type: 'promotion.archived',
      changes: { archived_at: ctx.now },
    } as const
    return reply(200, await movePromotion(ctx, path.promotion_id, move))
  },
})
