import Type from 'typebox'
import { defineOperation, type Operation, reply } from '../../../contract/operation.ts'
import { At, Closed, Described, Named } from '../../../contract/schemas.ts'
import { assertDeliverable } from './deliverable.ts'
import { recoverDeliveries } from './deliveries.sql.ts'
import { deliveryWork } from './delivery.ts'
import type { Side } from './side.ts'
import { takeDestinationRate } from './take-destination-rate.ts'
import { changeDestination } from './write-destination.ts'

export function recoverDestination(side: Side): Operation {
  return defineOperation({
    id: `v1_recover_${side.noun}`,
    method: 'POST',
    path: `${side.path}/{${side.param}}/recover`,
    auth: 'secret',
    scope: side.scopes.write,
    tag: side.tag,
    summary: `Recover ${side.one}`,
    description:
      'Delivers again what failed: every failed or exhausted delivery made since `since`, except tests, is sent at once, with a new series of ' +
      'retries. If the endpoint has not confirmed itself, they wait until it has.',
    params: Closed(side.params),
    body: Closed({ since: At('Deliver again what failed from this moment on.') }),
    responses: {
      200: Named(
        side.components.recovery,
        Closed(
          {
            object: Type.Literal('destination_recovery', { description: 'The type of this object.' }),
            destination: Described(side.destination, 'The destination.'),
            since: At('The moment that was asked for.'),
            requeued: Type.Integer({ minimum: 0, description: 'How many deliveries are sent again.' }),
          },
          { description: 'What was sent again.' },
        ),
      ),
    },
    problems: ['not_found', 'destination_disabled', 'destination_archived'],
    async handle(ctx, { path, body }) {
      const { accountId, mode } = ctx.tenant
      const destination = await changeDestination(
        ctx,
        side,
        side.idIn(path),
        'destination.recovered',
        (row) => {
          assertDeliverable(row)
          return {}
        },
      )
      // guard recoveries-in-an-hour: an account recovers its destinations so often in an hour
      await takeDestinationRate(ctx, 'recover', destination.id)
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
}
