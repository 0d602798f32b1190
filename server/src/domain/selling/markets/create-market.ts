import Type from 'typebox'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { objectsPerAccountMax } from '../../../contract/page.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed } from '../../../contract/schemas.ts'
import { lockAccount } from '../../accounts/api-keys/public.ts'
import { Market, MarketFields, type MarketRow } from './market.ts'
import { countMarkets } from './markets.sql.ts'
import { addMarket, requireRoomForRegions, reserveRoutes, withWritten, writeRoutes } from './write-market.ts'

const { code, currency, default_locale, ...optional } = MarketFields

const MarketCreate = Closed({ code, currency, default_locale, ...Type.Partial(Closed(optional)).properties })

export const createMarket = defineOperation({
  id: 'v1_create_market',
  method: 'POST',
  path: '/v1/markets',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Markets',
  summary: 'Create a market',
  description:
    'A market is a part of the world that you sell to, in one currency and one or more languages. No two markets may ' +
    'include the same region at the same priority, so an address is in at most one market.',
  body: MarketCreate,
  examples: {
    country: {
      summary: 'Sell to the United States in English',
      body: {
        code: 'us',
        name: 'United States',
        currency: 'USD',
        default_locale: 'en-US',
        routing: { include: [{ country: 'US' }] },
      },
    },
  },
  responses: { 201: Market },
  problems: ['code_in_use', 'market_overlap', 'object_limit_reached'],
  conflicts: {
    markets_code: 'code_in_use',
    markets_one_fallback: 'market_overlap',
    market_regions_overlap: 'market_overlap',
  },
  async handle(ctx, { body }) {
    const { accountId, mode } = ctx.tenant
    const blank: MarketRow = {
      id: ctx.newId('mkt'),
      code: body.code,
      name: body.code,
      currency: body.currency,
      default_locale: body.default_locale,
      locales: [],
      include: [],
      exclude: [],
      priority: 0,
      is_fallback: false,
      status: 'active',
      metadata: {},
      seq: 1,
      created_at: ctx.now,
      updated_at: ctx.now,
      archived_at: null,
    }
    const written = { ...body, locales: body.locales ?? [body.default_locale] }
    const row = { ...blank, ...withWritten(blank, written) }
    await lockAccount(ctx)
    const [count] = await Promise.all([
      ctx.tx.maybe(countMarkets({ account_id: accountId, mode })),
      requireRoomForRegions(ctx, row),
    ])
    if (count && count.unarchived >= objectsPerAccountMax) throw new Problem('object_limit_reached')
    const routes = await reserveRoutes(ctx, row)
    const market = addMarket(ctx, row, 'market.created')
    writeRoutes(ctx, row, routes)
    return reply(201, market)
  },
})
