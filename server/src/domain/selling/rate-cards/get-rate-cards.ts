import Type from 'typebox'
import { getOperation, listOperation } from '../../../contract/read-operations.ts'
import { Filter, Search } from '../../../contract/schemas.ts'
import { MarketFilter } from '../markets/public.ts'
import {
  AgenticFulfillmentType,
  FulfillmentRateCardStatus,
  RateCard,
  RateCardParams,
  renderRateCard,
} from './rate-card.ts'
import { countRateCards, selectRateCard, selectRateCards } from './rate-cards.sql.ts'

export const getRateCard = getOperation({
  id: 'v1_get_rate_card',
  path: '/v1/rate_cards/{rate_card_id}',
  scope: 'merchant:read',
  tag: 'Rate cards',
  summary: 'Read a rate card',
  description: 'Shows its rate, its timing, and where it applies.',
  params: RateCardParams,
  shows: RateCard,
  row: selectRateCard,
  render: (row, ctx) => renderRateCard(row, ctx.tenant.mode),
})

export const listRateCards = listOperation({
  id: 'v1_list_rate_cards',
  path: '/v1/rate_cards',
  scope: 'merchant:read',
  tag: 'Rate cards',
  summary: 'List rate cards, newest first',
  description:
    'Shows what fulfillment costs; narrow the list with `fulfillment_type`, `market_id`, `status` or `q`.',
  filters: {
    fulfillment_type: Filter(AgenticFulfillmentType, 'Only cards for this way of fulfillment.'),
    market_id: Filter(MarketFilter, 'Only cards that name this market.'),
    status: Filter(FulfillmentRateCardStatus, 'Only cards in this status.'),
    q: Type.Optional(Search),
  },
  lists: [RateCard, 'RateCardList'],
  rows: selectRateCards,
  count: countRateCards,
  render: (row, ctx) => renderRateCard(row, ctx.tenant.mode),
})
