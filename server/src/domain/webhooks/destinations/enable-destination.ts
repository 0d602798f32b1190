import { defineOperation, type Operation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed } from '../../../contract/schemas.ts'
import { ensureTest } from './confirm-endpoint.ts'
import { deliveryWork } from './delivery.ts'
import { renderDestination } from './destination.ts'
import { forgetFailures } from './destinations.sql.ts'
import type { Side } from './side.ts'
import { lockDestination, writeChange } from './write-destination.ts'

export function enableDestination(side: Side): Operation {
  return defineOperation({
    id: `v1_enable_${side.noun}`,
    method: 'POST',
    path: `${side.path}/{${side.param}}/enable`,
    auth: 'secret',
    scope: side.scopes.write,
    tag: side.tag,
    summary: `Enable ${side.one}`,
    description:
      'Deliveries that were open when it was disabled go on. Events that happened while it was disabled are not delivered. An endpoint that has ' +
      'not confirmed itself gets `destination.test`.',
    params: Closed(side.params),
    responses: { 200: side.destination },
    problems: ['not_found', 'destination_archived'],
    async handle(ctx, { path }) {
      const { accountId, mode } = ctx.tenant
      const row = await lockDestination(ctx, side, side.idIn(path))
      if (!row) throw new Problem('not_found', { param: side.param })
      if (row.status === 'archived') throw new Problem('destination_archived')
      if (row.status === 'enabled') return reply(200, renderDestination(row, mode))
      ctx.tx.write(forgetFailures({ account_id: accountId, mode, id: row.id }))
      const changes = { status: 'enabled', disabled_reason: null, disabled_at: null } as const
      const changed = writeChange(ctx, row, 'destination.enabled', changes)
      await ensureTest(ctx, changed)
      ctx.tx.wake(deliveryWork)
      return reply(200, renderDestination(changed, mode))
    },
  })
}
