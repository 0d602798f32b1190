import Type from 'typebox'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { containsPattern, pageOf, readList, totalCap } from '../../../contract/page.ts'
import { Closed, Filter, ListOf, Page, Search } from '../../../contract/schemas.ts'
import { MarketFilter } from '../markets/public.ts'
import { Promotion, PromotionStatus, renderPromotion } from './promotion.ts'
import { countPromotions, selectPromotions } from './promotions.sql.ts'

const limitDefault = 50

export const listPromotions = defineOperation({
  id: 'v1_list_promotions',
  method: 'GET',
  path: '/v1/promotions',
  auth: 'secret',
  scope: 'merchant:read',
  tag: 'Promotions',
  summary: 'List promotions, newest first',
  description: 'Narrow the list with `status`, `market_id` or `q`.',
  query: Closed({
    status: Filter(PromotionStatus, 'Only promotions in this status.'),
    market_id: Filter(MarketFilter, 'Only promotions of this market.'),
    q: Type.Optional(Search),
    ...Page(limitDefault, 200),
  }),
  responses: { 200: ListOf(Promotion, 'PromotionList') },
  async handle(ctx, { query }) {
    const page = pageOf(query, limitDefault)
    const filter = {
      account_id: ctx.tenant.accountId,
      mode: ctx.tenant.mode,
      status: query.status ?? null,
      market_id: query.market_id ?? null,
      q: containsPattern(query.q),
    }
    const list = await readList(ctx.reads, {
      page,
      rows: selectPromotions({ ...filter, ...page }),
      count: countPromotions({ ...filter, cap: totalCap }),
      render: (row) => renderPromotion(row, ctx.now),
    })
    return reply(200, list)
  },
})
