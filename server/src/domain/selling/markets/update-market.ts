import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed } from '../../../contract/schemas.ts'
import { Market, MarketParams, MarketUpdate } from './market.ts'
import { changeMarket, withWritten } from './write-market.ts'

export const updateMarket = defineOperation({
  id: 'v1_update_market',
  method: 'POST',
  path: '/v1/markets/{market_id}',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Markets',
  summary: 'Update a market',
  description:
    'Fields you leave out stay as they are; `locales`, `routing` and `metadata` are replaced as a whole.',
  params: Closed(MarketParams),
  body: MarketUpdate,
  examples: {
    languages: { summary: 'Add a language', body: { default_locale: 'en-US', locales: ['en-US', 'es-US'] } },
  },
  responses: { 200: Market },
  problems: ['not_found', 'market_archived', 'code_in_use', 'market_overlap', 'object_limit_reached'],
  conflicts: {
    markets_code: 'code_in_use',
    markets_one_fallback: 'market_overlap',
    market_regions_overlap: 'market_overlap',
  },
  async handle(ctx, { path, body }) {
    const market = await changeMarket(ctx, path.market_id, 'market.updated', (row) => {
      if (row.status === 'archived') throw new Problem('market_archived')
      return withWritten(row, body)
    })
    return reply(200, market)
  },
})
