import Type from 'typebox'
import { defineOperation, reply } from '../../contract/operation.ts'
import { Closed, Named, Timestamp } from '../../contract/schemas.ts'
import { assertDeliverable } from './deliverable.ts'
import { recoverDeliveries } from './deliveries.sql.ts'
import { deliveryWork } from './delivery.ts'
import { Destination, DestinationParams } from './destination.ts'
import { changeDestination } from './write-destination.ts'

const Recovery = Named(
  'MerchantDestinationRecovery',
  Closed({
    object: Type.Literal('destination_recovery'),
    destination: Destination,
    since: Timestamp,
    requeued: Type.Integer({ minimum: 0, description: 'Deliveries that are due again at once.' }),
  }),
)

export const recoverDestination = defineOperation({
  id: 'v1_recover_merchant_destination',
  method: 'POST',
  path: '/v1/merchant/destinations/{destination_id}/recover',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Merchant destinations',
  summary: 'Deliver again what failed since a time',
  description:
    'Every failed or exhausted delivery made since then is due at once, with a new series of retries.',
  params: Closed(DestinationParams),
  body: Closed({ since: Timestamp }),
  responses: { 200: Recovery },
  problems: ['not_found', 'destination_disabled', 'destination_archived'],
  async handle(ctx, { path, body }) {
    const { accountId, mode } = ctx.tenant
    const destination = await changeDestination(ctx, path.destination_id, 'destination.recovered', (row) => {
      assertDeliverable(row)
      return {}
    })
    const since = new Date(body.since).toISOString()
    const key = { account_id: accountId, mode, destination_id: destination.id }
    const row = await ctx.tx.maybe(recoverDeliveries({ ...key, since, now: ctx.now }))
    ctx.tx.wake(deliveryWork)
    return reply(200, {
      object: 'destination_recovery' as const,
      destination,
      since,
      requeued: row?.requeued ?? 0,
    })
  },
})
