import { defineOperation, reply } from '../../../contract/operation.ts'
import { Closed } from '../../../contract/schemas.ts'
import { Promotion, PromotionParams } from './promotion.ts'
import { movePromotion } from './write-promotion.ts'

export const endPromotion = defineOperation({
  id: 'v1_end_promotion',
  method: 'POST',
  path: '/v1/promotions/{promotion_id}/end',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Promotions',
  summary: 'End a promotion',
  description:
    'This cannot be undone. It is offered to nobody any more; orders placed with it keep their discount, and so do carts ' +
    'that hold an offer. Ending it again changes nothing.',
  destructive: true,
  params: Closed(PromotionParams),
  responses: { 200: Promotion },
  problems: ['not_found', 'promotion_state_conflict'],
  async handle(ctx, { path }) {
    const move = { trigger: 'end', type: 'promotion.ended', changes: { ended_at: ctx.now } } as const
    return reply(200, await movePromotion(ctx, path.promotion_id, move))
  },
})
