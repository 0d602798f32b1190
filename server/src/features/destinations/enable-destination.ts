import { defineOperation, type Operation, reply } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { Closed } from '../../contract/schemas.ts'
import { deliveryWork } from './delivery.ts'
import { forgetFailures } from './destinations.sql.ts'
import type { Side } from './side.ts'
import { changeDestination } from './write-destination.ts'

export function enableDestination(side: Side): Operation {
  return defineOperation({
    id: `v1_enable_${side.noun}`,
    method: 'POST',
    path: `${side.path}/{${side.param}}/enable`,
    auth: 'secret',
    scope: side.scopes.write,
    tag: side.tag,
    summary: 'Enable a destination',
    description:
      'Deliveries that were open when it was disabled go on. Events of the time between are not delivered.',
    params: Closed(side.params),
    responses: { 200: side.destination },
    problems: ['not_found', 'destination_archived'],
    async handle(ctx, { path }) {
      const destination = await changeDestination(
        ctx,
        side,
        side.idIn(path),
        'destination.enabled',
        (row) => {
          if (row.status === 'archived') throw new Problem('destination_archived')
          if (row.status === 'enabled') return null
          ctx.tx.write(
            forgetFailures({ account_id: ctx.tenant.accountId, mode: ctx.tenant.mode, id: row.id }),
          )
          ctx.tx.wake(deliveryWork)
          return { status: 'enabled', disabled_reason: null, disabled_at: null }
        },
      )
      return reply(200, destination)
    },
  })
}
