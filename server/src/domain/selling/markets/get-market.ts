import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed } from '../../../contract/schemas.ts'
import { Market, MarketParams, renderMarket } from './market.ts'
import { selectMarket } from './markets.sql.ts'

export const getMarket = defineOperation({
  id: 'v1_get_market',
  method: 'GET',
  path: '/v1/markets/{market_id}',
  auth: 'secret',
  scope: 'merchant:read',
  tag: 'Markets',
  summary: 'Read a market',
  description: 'Shows its regions, currency and languages.',
  params: Closed(MarketParams),
  responses: { 200: Market },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    const { accountId, mode } = ctx.tenant
    const row = await ctx.reads.maybe(selectMarket({ account_id: accountId, mode, id: path.market_id }))
    if (!row) throw new Problem('not_found', { param: 'market_id' })
    return reply(200, renderMarket(row, mode))
  },
})
