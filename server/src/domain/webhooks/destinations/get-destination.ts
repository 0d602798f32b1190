import { defineOperation, type Operation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed } from '../../../contract/schemas.ts'
import { renderDestination } from './destination.ts'
import { selectDestination } from './destinations.sql.ts'
import type { Side } from './side.ts'

export function getDestination(side: Side): Operation {
  return defineOperation({
    id: `v1_get_${side.noun}`,
    method: 'GET',
    path: `${side.path}/{${side.param}}`,
    auth: 'secret',
    scope: side.scopes.read,
    tag: side.tag,
    summary: `Read ${side.one}`,
    description:
      'Shows its endpoint, its event types, and whether the endpoint has confirmed itself; of the secret it shows only a prefix.',
    params: Closed(side.params),
    responses: { 200: side.destination },
    problems: ['not_found'],
    async handle(ctx, { path }) {
      const { accountId, mode } = ctx.tenant
      const row = await ctx.reads.maybe(
        selectDestination({ account_id: accountId, mode, audience: side.audience, id: side.idIn(path) }),
      )
      if (!row) throw new Problem('not_found', { param: side.param })
      return reply(200, renderDestination(row, mode))
    },
  })
}
