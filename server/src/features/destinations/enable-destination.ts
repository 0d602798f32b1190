import { defineOperation, reply } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { Closed } from '../../contract/schemas.ts'
import { deliveryWork } from './delivery.ts'
import { Destination, DestinationParams } from './destination.ts'
import { forgetFailures } from './destinations.sql.ts'
import { changeDestination } from './write-destination.ts'

export const enableDestination = defineOperation({
  id: 'v1_enable_merchant_destination',
  method: 'POST',
  path: '/v1/merchant/destinations/{destination_id}/enable',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Merchant destinations',
  summary: 'Enable a destination',
  description:
    'Deliveries that were open when it was disabled go on. Events of the time between are not delivered.',
  params: Closed(DestinationParams),
  responses: { 200: Destination },
  problems: ['not_found', 'destination_archived'],
  async handle(ctx, { path }) {
    const destination = await changeDestination(ctx, path.destination_id, 'destination.enabled', (row) => {
      if (row.status === 'archived') throw new Problem('destination_archived')
      if (row.status === 'enabled') return null
      ctx.tx.write(forgetFailures({ account_id: ctx.tenant.accountId, mode: ctx.tenant.mode, id: row.id }))
      ctx.tx.wake(deliveryWork)
      return { status: 'enabled', disabled_reason: null, disabled_at: null }
    })
    return reply(200, destination)
  },
})
