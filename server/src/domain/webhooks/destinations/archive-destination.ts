import { defineOperation, type Operation, reply } from '../../../contract/operation.ts'
import { Closed } from '../../../contract/schemas.ts'
import { exhaustOpenDeliveries } from './deliveries.sql.ts'
import type { Side } from './side.ts'
import { changeDestination } from './write-destination.ts'

export function archiveDestination(side: Side): Operation {
  return defineOperation({
    id: `v1_archive_${side.noun}`,
    method: 'POST',
    path: `${side.path}/{${side.param}}/archive`,
    auth: 'secret',
    scope: side.scopes.write,
    tag: side.tag,
    summary: `Archive ${side.one}`,
    description:
      side.audience === 'merchant'
        ? 'This cannot be undone. Open deliveries are given up, and another destination can become the designated quote responder.'
        : 'This cannot be undone. Open deliveries are given up.',
    destructive: true,
    params: Closed(side.params),
    responses: { 200: side.destination },
    problems: ['not_found'],
    async handle(ctx, { path }) {
      const destination = await changeDestination(
        ctx,
        side,
        side.idIn(path),
        'destination.archived',
        (row) => {
          if (row.status === 'archived') return null
          const { accountId, mode } = ctx.tenant
          ctx.tx.write(
            exhaustOpenDeliveries({ account_id: accountId, mode, destination_id: row.id, now: ctx.now }),
          )
          return { status: 'archived', archived_at: ctx.now, disabled_reason: null }
        },
      )
      return reply(200, destination)
    },
  })
}
