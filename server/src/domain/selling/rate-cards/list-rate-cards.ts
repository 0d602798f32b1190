import Type from 'typebox'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { containsPattern, pageOf, readList, totalCap } from '../../../contract/page.ts'
import { Closed, Filter, ListOf, Page, Search } from '../../../contract/schemas.ts'
import { MarketFilter } from '../markets/public.ts'
import { AgenticFulfillmentType, FulfillmentRateCardStatus, RateCard, renderRateCard } from './rate-card.ts'
import { countRateCards, selectRateCards } from './rate-cards.sql.ts'

const limitDefault = 50

export const listRateCards = defineOperation({
  id: 'v1_list_rate_cards',
  method: 'GET',
  path: '/v1/rate_cards',
  auth: 'secret',
  scope: 'merchant:read',
  tag: 'Rate cards',
  summary: 'List rate cards, newest first',
  description:
    'Shows what fulfillment costs; narrow the list with `fulfillment_type`, `market_id`, `status` or `q`.',
  query: Closed({
    fulfillment_type: Filter(AgenticFulfillmentType, 'Only cards for this way of fulfillment.'),
    market_id: Filter(MarketFilter, 'Only cards that name this market.'),
    status: Filter(FulfillmentRateCardStatus, 'Only cards in this status.'),
    q: Type.Optional(Search),
    ...Page(limitDefault, 200),
  }),
  responses: { 200: ListOf(RateCard, 'RateCardList') },
  async handle(ctx, { query }) {
    const page = pageOf(query, limitDefault)
    const filter = {
      account_id: ctx.tenant.accountId,
      mode: ctx.tenant.mode,
      fulfillment_type: query.fulfillment_type ?? null,
      market_id: query.market_id ?? null,
      status: query.status ?? null,
      q: containsPattern(query.q),
    }
    const list = await readList(ctx.reads, {
      page,
      rows: selectRateCards({ ...filter, ...page }),
      count: countRateCards({ ...filter, cap: totalCap }),
      render: (row) => renderRateCard(row, ctx.tenant.mode),
    })
    return reply(200, list)
  },
})
