import type { ActingContext } from '../../../contract/context.ts'
import { defineOperation, type Operation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed } from '../../../contract/schemas.ts'
import { giveUpWaiting } from './confirm-endpoint.ts'
import type { DestinationRow, DisabledReason } from './destination.ts'
import type { Side, SideNames } from './side.ts'
import { changeDestination } from './write-destination.ts'

export function disableDestination(side: Side): Operation {
  return defineOperation({
    id: `v1_disable_${side.noun}`,
    method: 'POST',
    path: `${side.path}/{${side.param}}/disable`,
    auth: 'secret',
    scope: side.scopes.write,
    tag: side.tag,
    summary: `Disable ${side.one}`,
    description: `Nothing is sent and no new event is queued. Open deliveries wait until you enable it again${side.audience === 'merchant' ? '; it stays the designated quote responder' : ''}. Disabling it again changes nothing.`,
    destructive: true,
    params: Closed(side.params),
    responses: { 200: side.destination },
    problems: ['not_found', 'destination_archived'],
    async handle(ctx, { path }) {
      const destination = await changeDestination(
        ctx,
        side,
        side.idIn(path),
        'destination.disabled',
        (row) => {
          if (row.status === 'archived') throw new Problem('destination_archived')
          return row.status === 'disabled' ? null : disabled(ctx, 'requested')
        },
      )
      return reply(200, destination)
    },
  })
}

/** Disables a destination because of its own answers. `stillTrue` is checked on the locked row. */
export async function disableBecause(
  ctx: ActingContext,
  side: SideNames,
  destinationId: string,
  reason: DisabledReason,
  stillTrue: (row: DestinationRow) => boolean,
): Promise<void> {
  await changeDestination(ctx, side, destinationId, 'destination.disabled', (row) => {
    if (row.status !== 'enabled' || !stillTrue(row)) return null
    if (reason === 'failing' && row.confirmed_at === null) giveUpWaiting(ctx, row)
    return disabled(ctx, reason)
  })
}

function disabled(ctx: ActingContext, reason: DisabledReason) {
  return { status: 'disabled' as const, disabled_reason: reason, disabled_at: ctx.now }
}
