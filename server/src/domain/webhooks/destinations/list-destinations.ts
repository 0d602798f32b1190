import { defineOperation, type Operation, reply } from '../../../contract/operation.ts'
import { objectsPerAccountMax, pageOf, readList } from '../../../contract/page.ts'
import { Closed, ListOf, Page } from '../../../contract/schemas.ts'
import { renderDestination } from './destination.ts'
import { countDestinations, selectDestinations } from './destinations.sql.ts'
import type { Side } from './side.ts'

export function listDestinations(side: Side): Operation {
  return defineOperation({
    id: `v1_list_${side.noun}s`,
    method: 'GET',
    path: side.path,
    auth: 'secret',
    scope: side.scopes.read,
    tag: side.tag,
    summary: `List ${side.many}, newest first`,
    description: 'Shows where events are delivered to. Archived destinations are in the list too.',
    query: Closed(Page(objectsPerAccountMax, objectsPerAccountMax)),
    responses: { 200: ListOf(side.destination, `${side.components.destination}List`) },
    async handle(ctx, { query }) {
      const page = pageOf(query, objectsPerAccountMax)
      const of = { account_id: ctx.tenant.accountId, mode: ctx.tenant.mode, audience: side.audience }
      const list = await readList(ctx.reads, {
        page,
        rows: selectDestinations({ ...of, ...page }),
        count: countDestinations(of),
        render: (row) => renderDestination(row, ctx.tenant.mode),
      })
      return reply(200, list)
    },
  })
}
