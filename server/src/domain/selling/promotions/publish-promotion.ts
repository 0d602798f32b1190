import type { ActingContext } from '../../../contract/context.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed } from '../../../contract/schemas.ts'
import { isActiveMarket } from '../markets/public.ts'
import { Promotion, PromotionParams, type PromotionRow, renderPromotion } from './promotion.ts'
import { gapsOf } from './publishable.ts'
import { changePromotion, lockPromotionNow, stateConflict } from './write-promotion.ts'

export const publishPromotion = defineOperation({
  id: 'v1_publish_promotion',
  method: 'POST',
  path: '/v1/promotions/{promotion_id}/publish',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Promotions',
  summary: 'Publish a promotion',
  description:
    'A draft becomes `active`, or `scheduled` until its `starts_at`. If it is not complete, the refusal says what is ' +
    'missing. Publishing it again changes nothing.',
  params: Closed(PromotionParams),
  responses: { 200: Promotion },
  problems: ['not_found', 'promotion_not_publishable', 'promotion_state_conflict'],
  async handle(ctx, { path }) {
    const row = await lockPromotionNow(ctx, path.promotion_id)
    if (row.status === 'scheduled' || row.status === 'active')
      return reply(200, renderPromotion(row, ctx.now))
    if (row.status !== 'draft') throw stateConflict(row)
    const gaps = [...gapsOf(row, ctx.now), ...(await marketGaps(ctx, row))]
    if (gaps.length > 0) throw notPublishable(gaps)
    const starts_at = row.starts_at ?? ctx.now
    const status = starts_at > ctx.now ? 'scheduled' : 'active'
    const changes = { status, starts_at, published_at: ctx.now } as const
    return reply(200, changePromotion(ctx, row, changes, 'promotion.published').promotion)
  },
})

/** A market that was archived after the draft named it accepts no carts any more. */
async function marketGaps(
  { tx }: ActingContext,
  { account_id, mode, market_id }: PromotionRow,
): Promise<string[]> {
  if (market_id === null) return []
  return (await isActiveMarket(tx, { accountId: account_id, mode }, market_id))
    ? []
    : ['`market_id` names a market that is archived']
}

export function notPublishable(gaps: readonly string[]): Problem {
  return new Problem('promotion_not_publishable', {
    message: `The promotion cannot be offered: ${gaps.join('; ')}.`,
  })
}
