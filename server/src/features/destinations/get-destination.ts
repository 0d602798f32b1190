import { defineOperation, reply } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { Closed } from '../../contract/schemas.ts'
import { Destination, DestinationParams, renderDestination } from './destination.ts'
import { selectDestination } from './destinations.sql.ts'

export const getDestination = defineOperation({
  id: 'v1_get_merchant_destination',
  method: 'GET',
  path: '/v1/merchant/destinations/{destination_id}',
  auth: 'secret',
  scope: 'merchant:read',
  tag: 'Merchant destinations',
  summary: 'Read a destination',
  params: Closed(DestinationParams),
  responses: { 200: Destination },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    const { accountId, mode } = ctx.tenant
    const row = await ctx.reads.maybe(
      selectDestination({ account_id: accountId, mode, id: path.destination_id }),
    )
    if (!row) throw new Problem('not_found', { param: 'destination_id' })
    return reply(200, renderDestination(row, mode))
  },
})
