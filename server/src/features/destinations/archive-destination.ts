import { defineOperation, reply } from '../../contract/operation.ts'
import { Closed } from '../../contract/schemas.ts'
import { exhaustOpenDeliveries } from './deliveries.sql.ts'
import { Destination, DestinationParams } from './destination.ts'
import { changeDestination } from './write-destination.ts'

export const archiveDestination = defineOperation({
  id: 'v1_archive_merchant_destination',
  method: 'POST',
  path: '/v1/merchant/destinations/{destination_id}/archive',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Merchant destinations',
  summary: 'Archive a destination',
  description:
    'For good: open deliveries are given up, and another destination may become the designated quote responder.',
  destructive: true,
  params: Closed(DestinationParams),
  responses: { 200: Destination },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    const destination = await changeDestination(ctx, path.destination_id, 'destination.archived', (row) => {
      if (row.status === 'archived') return null
      const { accountId, mode } = ctx.tenant
      ctx.tx.write(
        exhaustOpenDeliveries({ account_id: accountId, mode, destination_id: row.id, now: ctx.now }),
      )
      return { status: 'archived', archived_at: ctx.now, disabled_reason: null }
    })
    return reply(200, destination)
  },
})
