import type { ActingContext } from '../../contract/context.ts'
import { defineOperation, reply } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { Closed } from '../../contract/schemas.ts'
import { Destination, DestinationParams, type DestinationRow, type DisabledReason } from './destination.ts'
import { changeDestination } from './write-destination.ts'

export const disableDestination = defineOperation({
  id: 'v1_disable_merchant_destination',
  method: 'POST',
  path: '/v1/merchant/destinations/{destination_id}/disable',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Merchant destinations',
  summary: 'Disable a destination',
  description:
    'Nothing is sent and nothing new is queued. Open deliveries wait until it is enabled; it keeps its designation.',
  destructive: true,
  params: Closed(DestinationParams),
  responses: { 200: Destination },
  problems: ['not_found', 'destination_archived'],
  async handle(ctx, { path }) {
    const destination = await changeDestination(ctx, path.destination_id, 'destination.disabled', (row) => {
      if (row.status === 'archived') throw new Problem('destination_archived')
      return row.status === 'disabled' ? null : disabled(ctx, 'requested')
    })
    return reply(200, destination)
  },
})

/** Disables a destination that its own answers condemn. `stillTrue` is asked of the locked row. */
export async function disableBecause(
  ctx: ActingContext,
  destinationId: string,
  reason: DisabledReason,
  stillTrue: (row: DestinationRow) => boolean,
): Promise<void> {
  await changeDestination(ctx, destinationId, 'destination.disabled', (row) =>
    row.status === 'enabled' && stillTrue(row) ? disabled(ctx, reason) : null,
  )
}

function disabled(ctx: ActingContext, reason: DisabledReason) {
  return { status: 'disabled' as const, disabled_reason: reason, disabled_at: ctx.now }
}
