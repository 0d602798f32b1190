import Type from 'typebox'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem, ValidationProblem } from '../../../contract/problem.ts'
import { Closed, IdParam, Nullable, PositiveAmount, Text } from '../../../contract/schemas.ts'
import { toWire } from '../../../core/money.ts'
import { Ruled } from '../../../schema/rules.ts'
import { decideReprice } from './decide-reprice.ts'
import { lockOrderAsMerchant } from './lock-order-as-merchant.ts'
import { authorizedAmount, Order, renderOrder } from './order.ts'
import { reviseLockedOrder } from './write-order.ts'

const nothingLeft = 'the order would cost nothing: confirm it and refund it instead'

export const repriceMerchantOrder = defineOperation({
  id: 'v1_reprice_merchant_order',
  method: 'POST',
  path: '/v1/merchant/orders/{order_id}/reprice',
  auth: 'secret',
  scope: 'merchant_orders:respond',
  tag: 'Merchant orders',
  summary: 'Reprice an order',
  description:
    'Lowers the price of an order before you confirm it: sets what the merchandise costs before tax. Tax follows at the ' +
    'rate of the order, fulfillment and discount stay, and confirming captures the new total. The total can never be above ' +
    'what the buyer authorized: if the order costs more, or needs another currency, reject it so that it can be bought ' +
    'again.',
  params: Closed({ order_id: IdParam('The order.', 'ord') }),
  body: Closed({
    subtotal_amount_cents: Ruled(
      PositiveAmount(
        "What all merchandise costs together, before tax, in minor units (1999 is $19.99) of the order's currency.",
      ),
      { nothingLeft },
    ),
    reason: Type.Optional(Nullable(Text(500, { description: 'Why; the buyer sees it.' }))),
  }),
  examples: {
    lower: {
      summary: 'Lower the merchandise to $35.00 before tax',
      body: { subtotal_amount_cents: 3500, reason: 'One mug has a scratch.' },
    },
  },
  responses: { 200: Order },
  problems: ['not_found', 'order_not_awaiting', 'reprice_above_authorization'],
  async handle(ctx, { path, body }) {
    const order = await lockOrderAsMerchant(ctx, path.order_id)
    const wish = { subtotal: BigInt(body.subtotal_amount_cents), reason: body.reason ?? null }
    const decided = decideReprice(order, wish, ctx.now)
    if (!decided.ok) {
      if (decided.refusal === 'nothing_to_pay') throw nothingToPay()
      const extra = { authorized_amount: toWire(authorizedAmount(order)) }
      throw decided.refusal === 'reprice_above_authorization'
        ? new Problem(decided.refusal, { param: 'subtotal_amount_cents', extra })
        : new Problem(decided.refusal)
    }
    if (decided.value === 'same') return reply(200, renderOrder(order, 'merchant'))
    const { row } = reviseLockedOrder(ctx, order, decided.value, ['order.repriced'])
    return reply(200, renderOrder(row, 'merchant'))
  },
})

function nothingToPay(): ValidationProblem {
  const loc = ['body', 'subtotal_amount_cents']
  const msg = `Value error, ${nothingLeft}`
  return new ValidationProblem([{ type: 'value_error', loc, msg }])
}
