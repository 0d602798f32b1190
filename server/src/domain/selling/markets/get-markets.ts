import { objectsPerAccountMax } from '../../../contract/page.ts'
import { getOperation, listOperation } from '../../../contract/read-operations.ts'
import { Market, MarketParams, renderMarket } from './market.ts'
import { countMarkets, selectMarket, selectMarkets } from './markets.sql.ts'

export const getMarket = getOperation({
  id: 'v1_get_market',
  path: '/v1/markets/{market_id}',
  scope: 'merchant:read',
  tag: 'Markets',
  summary: 'Read a market',
  description: 'Shows its regions, currency and languages.',
  params: MarketParams,
  shows: Market,
  row: selectMarket,
  render: (row, ctx) => renderMarket(row, ctx.tenant.mode),
})

export const listMarkets = listOperation({
  id: 'v1_list_markets',
  path: '/v1/markets',
  scope: 'merchant:read',
  tag: 'Markets',
  summary: 'List markets, newest first',
  description:
    'Shows where the merchant sells, in which currency and languages. Archived markets are in the list too.',
  limits: [objectsPerAccountMax, objectsPerAccountMax],
  lists: [Market, 'MarketList'],
  rows: selectMarkets,
  count: countMarkets,
  render: (row, ctx) => renderMarket(row, ctx.tenant.mode),
})
