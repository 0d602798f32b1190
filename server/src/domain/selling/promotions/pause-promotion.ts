import { defineOperation, reply } from '../../../contract/operation.ts'
import { Closed } from '../../../contract/schemas.ts'
import { Promotion, PromotionParams } from './promotion.ts'
import { movePromotion } from './write-promotion.ts'

export const pausePromotion = defineOperation({
  id: 'v1_pause_promotion',
  method: 'POST',
  path: '/v1/promotions/{promotion_id}/pause',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Promotions',
  summary: 'Pause a promotion',
  description:
    'It is offered to nobody until you resume it; orders placed with it keep their discount. It still ends at `ends_at`. ' +
    'Pausing it again changes nothing.',
  params: Closed(PromotionParams),
  responses: { 200: Promotion },
  problems: ['not_found', 'promotion_state_conflict'],
  async handle(ctx, { path }) {
    const move = { trigger: 'pause', type: 'promotion.paused' } as const
    return reply(200, await movePromotion(ctx, path.promotion_id, move))
  },
})
