import { defineOperation, reply } from '../../../contract/operation.ts'
import { Closed } from '../../../contract/schemas.ts'
import { RateCard, RateCardParams } from './rate-card.ts'
import { changeRateCard } from './write-rate-card.ts'

export const archiveRateCard = defineOperation({
  id: 'v1_archive_rate_card',
  method: 'POST',
  path: '/v1/rate_cards/{rate_card_id}/archive',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Rate cards',
  summary: 'Archive a rate card',
  description: 'This cannot be undone. Nothing is priced by it any more. Archiving it again changes nothing.',
  destructive: true,
  params: Closed(RateCardParams),
  responses: { 200: RateCard },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    const card = await changeRateCard(ctx, path.rate_card_id, 'rate_card.archived', (row) =>
      row.status === 'archived' ? {} : { status: 'archived', archived_at: ctx.now },
    )
    return reply(200, card)
  },
})
