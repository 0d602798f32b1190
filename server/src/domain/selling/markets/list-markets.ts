import { defineOperation, reply } from '../../../contract/operation.ts'
import { objectsPerAccountMax, pageOf, readList } from '../../../contract/page.ts'
import { Closed, ListOf, Page } from '../../../contract/schemas.ts'
import { Market, renderMarket } from './market.ts'
import { countMarkets, selectMarkets } from './markets.sql.ts'

export const listMarkets = defineOperation({
  id: 'v1_list_markets',
  method: 'GET',
  path: '/v1/markets',
  auth: 'secret',
  scope: 'merchant:read',
  tag: 'Markets',
  summary: 'List markets, newest first',
  description:
    'Shows where the merchant sells, in which currency and languages. Archived markets are in the list too.',
  query: Closed(Page(objectsPerAccountMax, objectsPerAccountMax)),
  responses: { 200: ListOf(Market, 'MarketList') },
  async handle(ctx, { query }) {
    const page = pageOf(query, objectsPerAccountMax)
    const tenant = { account_id: ctx.tenant.accountId, mode: ctx.tenant.mode }
    const list = await readList(ctx.reads, {
      page,
      rows: selectMarkets({ ...tenant, ...page }),
      count: countMarkets(tenant),
      render: (row) => renderMarket(row, ctx.tenant.mode),
    })
    return reply(200, list)
  },
})
