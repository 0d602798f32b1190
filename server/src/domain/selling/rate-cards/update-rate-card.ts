import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed } from '../../../contract/schemas.ts'
import { RateCard, RateCardParams, RateCardUpdate } from './rate-card.ts'
import { changeRateCard, requireRoom, writtenFields } from './write-rate-card.ts'

export const updateRateCard = defineOperation({
  id: 'v1_update_rate_card',
  method: 'POST',
  path: '/v1/rate_cards/{rate_card_id}',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Rate cards',
  summary: 'Update a rate card',
  description:
    'Fields you leave out stay as they are; lists, `timing`, `rate` and `metadata` are replaced as a whole. Purchases that ' +
    'have a price already keep their fee.',
  params: Closed(RateCardParams),
  body: RateCardUpdate,
  examples: { activate: { summary: 'Make it count', body: { status: 'active' } } },
  responses: { 200: RateCard },
  problems: [
    'not_found',
    'rate_card_archived',
    'market_archived',
    'location_archived',
    'object_limit_reached',
  ],
  async handle(ctx, { path, body }) {
    const card = await changeRateCard(ctx, path.rate_card_id, 'rate_card.updated', async (row) => {
      if (row.status === 'archived') throw new Problem('rate_card_archived')
      const changes = await writtenFields(ctx, body)
      await requireRoom(ctx, { ...row, ...changes }, row)
      return changes
    })
    return reply(200, card)
  },
})
