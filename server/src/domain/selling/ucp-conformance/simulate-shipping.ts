import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { lockOrderAsMerchant, recordFulfillment, showOrderToMerchant } from '../../trade/orders/public.ts'
import { conformanceOrder } from '../checkouts/public.ts'
import { ConformanceAnswer } from './conformance-body.ts'
import { IdParams, ofSuite, SimulationHeaders } from './conformance-operation.ts'
import { opensSimulation, requireShop } from './conformance-shop.ts'
import { requireOrder } from './find-order.ts'

export const ucpConformanceSimulateShipping = defineOperation({
  ...ofSuite,
  id: 'ucp_conformance_simulate_shipping',
  method: 'POST',
  path: '/testing/simulate-shipping/{id}',
  summary: 'Ship an order',
  description: 'Does what the merchant would do: all that is left of the order is on its way.',
  headers: SimulationHeaders,
  params: IdParams,
  responses: { 200: ConformanceAnswer },
  problems: ['not_found', 'simulation_refused', 'order_not_fulfillable', 'object_limit_reached'],
  async handle(ctx, { headers: { ucp_call: call, simulation_secret: secret }, path }) {
    const { shop } = await requireShop(ctx)
    if (!opensSimulation(ctx, shop, secret)) throw new Problem('simulation_refused')
    const { checkout } = await requireOrder(ctx, call, path.id)
    const order = await lockOrderAsMerchant(ctx, path.id)
    const { row } = recordFulfillment(ctx, order, { id: null, status: 'shipped', isLast: false })
    return reply(200, conformanceOrder({ order: showOrderToMerchant(row), checkout }, call))
  },
})
