import { defineOperation, reply } from '../../../contract/operation.ts'
import { Closed } from '../../../contract/schemas.ts'
import { Promotion, PromotionParams } from './promotion.ts'
import { movePromotion } from './write-promotion.ts'

export const resumePromotion = defineOperation({
  id: 'v1_resume_promotion',
  method: 'POST',
  path: '/v1/promotions/{promotion_id}/resume',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Promotions',
  summary: 'Resume a promotion',
  description: 'It is offered again. Resuming it again changes nothing.',
  params: Closed(PromotionParams),
  responses: { 200: Promotion },
  problems: ['not_found', 'promotion_state_conflict'],
  async handle(ctx, { path }) {
    const move = { trigger: 'resume', type: 'promotion.resumed' } as const
    return reply(200, await movePromotion(ctx, path.promotion_id, move))
  },
})
