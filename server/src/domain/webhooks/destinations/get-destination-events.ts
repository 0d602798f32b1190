import { defineOperation, type Operation, reply } from '../../../contract/operation.ts'
import { pageOf, renderList, totalCap } from '../../../contract/page.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, ListOf, Page } from '../../../contract/schemas.ts'
import { countDeliveries, selectDeliveries, selectDelivery } from './deliveries.sql.ts'
import { deliveryParams, renderDelivery } from './delivery.ts'
import { selectDestination } from './destinations.sql.ts'
import type { Side } from './side.ts'

export function getDestinationEvent(side: Side): Operation {
  return defineOperation({
    id: `v1_get_${side.noun}_event`,
    method: 'GET',
    path: `${side.path}/{${side.param}}/events/{event_id}`,
    auth: 'secret',
    scope: side.scopes.read,
    tag: side.tag,
    summary: `Read a delivery of ${side.one}`,
    description: 'Shows every attempt, what the endpoint answered, and when the next attempt is.',
    params: Closed({ ...side.params, ...deliveryParams }),
    responses: { 200: side.delivery },
    problems: ['not_found'],
    async handle(ctx, { path }) {
      const { mode, accountId } = ctx.tenant
      const tenant = { account_id: accountId, mode }
      const [destination, row] = await Promise.all([
        ctx.reads.maybe(selectDestination({ ...tenant, audience: side.audience, id: side.idIn(path) })),
        ctx.reads.maybe(
          selectDelivery({ ...tenant, destination_id: side.idIn(path), event_id: path.event_id }),
        ),
      ])
      if (!destination) throw new Problem('not_found', { param: side.param })
      if (!row) throw new Problem('not_found', { param: 'event_id' })
      return reply(200, renderDelivery(row, ctx))
    },
  })
}

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
