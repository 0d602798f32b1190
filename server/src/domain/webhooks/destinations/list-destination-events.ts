import { defineOperation, type Operation, reply } from '../../../contract/operation.ts'
import { pageOf, renderList, totalCap } from '../../../contract/page.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, ListOf, Page } from '../../../contract/schemas.ts'
import { countDeliveries, selectDeliveries } from './deliveries.sql.ts'
import { renderDelivery } from './delivery.ts'
import { selectDestination } from './destinations.sql.ts'
import type { Side } from './side.ts'

const limitDefault = 50

export function listDestinationEvents(side: Side): Operation {
  return defineOperation({
    id: `v1_list_${side.noun}_events`,
    method: 'GET',
    path: `${side.path}/{${side.param}}/events`,
    auth: 'secret',
    scope: side.scopes.read,
    tag: side.tag,
    summary: `List the deliveries of ${side.one}, newest first`,
    description: 'Shows each event that was sent or is waiting to be sent, with its attempts.',
    params: Closed(side.params),
    query: Closed(Page(limitDefault, 200)),
    responses: { 200: ListOf(side.delivery, `${side.components.delivery}List`) },
    problems: ['not_found'],
    async handle(ctx, { path, query }) {
      const page = pageOf(query, limitDefault)
      const tenant = { account_id: ctx.tenant.accountId, mode: ctx.tenant.mode }
      const key = { ...tenant, destination_id: side.idIn(path) }
      const [destination, rows, count] = await Promise.all([
        ctx.reads.maybe(selectDestination({ ...tenant, audience: side.audience, id: side.idIn(path) })),
        ctx.reads.rows(selectDeliveries({ ...key, ...page })),
        ctx.reads.maybe(countDeliveries({ ...key, cap: totalCap })),
      ])
      if (!destination) throw new Problem('not_found', { param: side.param })
      return reply(
        200,
        renderList(rows, count?.counted ?? 0, page, (row) => renderDelivery(row, ctx)),
      )
    },
  })
}
