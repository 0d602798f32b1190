import Type from 'typebox'
import { getOperation, listOperation } from '../../../contract/read-operations.ts'
import { Filter, Search } from '../../../contract/schemas.ts'
import { MarketFilter } from '../markets/public.ts'
import { Promotion, PromotionParams, PromotionStatus, renderPromotion } from './promotion.ts'
import { countPromotions, selectPromotion, selectPromotions } from './promotions.sql.ts'

export const getPromotion = getOperation({
  id: 'v1_get_promotion',
  path: '/v1/promotions/{promotion_id}',
  scope: 'merchant:read',
  tag: 'Promotions',
  summary: 'Read a promotion',
  description: 'Shows what it offers, to whom, and how much of its caps is used.',
  params: PromotionParams,
  shows: Promotion,
  row: selectPromotion,
  render: (row, ctx) => renderPromotion(row, ctx.now),
})

export const listPromotions = listOperation({
  id: 'v1_list_promotions',
  path: '/v1/promotions',
  scope: 'merchant:read',
  tag: 'Promotions',
  summary: 'List promotions, newest first',
  description: 'Narrow the list with `status`, `market_id` or `q`.',
  filters: {
    status: Filter(PromotionStatus, 'Only promotions in this status.'),
    market_id: Filter(MarketFilter, 'Only promotions of this market.'),
    q: Type.Optional(Search),
  },
  lists: [Promotion, 'PromotionList'],
  rows: selectPromotions,
  count: countPromotions,
  render: (row, ctx) => renderPromotion(row, ctx.now),
})
