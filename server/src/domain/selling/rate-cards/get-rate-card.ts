import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed } from '../../../contract/schemas.ts'
import { RateCard, RateCardParams, renderRateCard } from './rate-card.ts'
import { selectRateCard } from './rate-cards.sql.ts'

export const getRateCard = defineOperation({
  id: 'v1_get_rate_card',
  method: 'GET',
  path: '/v1/rate_cards/{rate_card_id}',
  auth: 'secret',
  scope: 'merchant:read',
  tag: 'Rate cards',
  summary: 'Read a rate card',
  description: 'Shows its rate, its timing, and where it applies.',
  params: Closed(RateCardParams),
  responses: { 200: RateCard },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    const { accountId, mode } = ctx.tenant
    const row = await ctx.reads.maybe(selectRateCard({ account_id: accountId, mode, id: path.rate_card_id }))
    if (!row) throw new Problem('not_found', { param: 'rate_card_id' })
    return reply(200, renderRateCard(row, mode))
  },
})
