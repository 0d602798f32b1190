import { defineOperation, reply } from '../../../contract/operation.ts'
import { Closed } from '../../../contract/schemas.ts'
import { Market, MarketParams } from './market.ts'
import { changeMarket } from './write-market.ts'

export const archiveMarket = defineOperation({
  id: 'v1_archive_market',
  method: 'POST',
  path: '/v1/markets/{market_id}/archive',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Markets',
  summary: 'Archive a market',
  description:
    'This cannot be undone. No address belongs to it any more, its rate cards no longer apply there, and another market ' +
    'can take its code and regions. Archiving it again changes nothing.',
  destructive: true,
  params: Closed(MarketParams),
  responses: { 200: Market },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    const market = await changeMarket(ctx, path.market_id, 'market.archived', (row) =>
      row.status === 'archived' ? {} : { status: 'archived', archived_at: ctx.now },
    )
    return reply(200, market)
  },
})
