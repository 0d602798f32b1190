import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed } from '../../../contract/schemas.ts'
import { Promotion, PromotionParams, renderPromotion } from './promotion.ts'
import { selectPromotion } from './promotions.sql.ts'

export const getPromotion = defineOperation({
  id: 'v1_get_promotion',
  method: 'GET',
  path: '/v1/promotions/{promotion_id}',
  auth: 'secret',
  scope: 'merchant:read',
  tag: 'Promotions',
  summary: 'Read a promotion',
  description: 'Shows what it offers, to whom, and how much of its caps is used.',
  params: Closed(PromotionParams),
  responses: { 200: Promotion },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    const { accountId, mode } = ctx.tenant
    const row = await ctx.reads.maybe(selectPromotion({ account_id: accountId, mode, id: path.promotion_id }))
    if (!row) throw new Problem('not_found', { param: 'promotion_id' })
    return reply(200, renderPromotion(row, ctx.now))
  },
})
