import type { CallContext } from '../../../contract/context.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { conformanceRelease } from '../../../protocols/ucp/releases.ts'
import type { UcpCall } from '../../../protocols/ucp/ucp-call.ts'
import {
  askingOf,
  type Checkout,
  type CheckoutAnswer,
  completeCheckout,
  completeWaitMs,
  readCheckout,
} from '../checkouts/public.ts'
import { ConformanceAnswer, PaymentBody } from './conformance-body.ts'
import {
  areGoodsRefused,
  ConformanceHeaders,
  IdParams,
  ofSuite,
  refusedLines,
  shownCheckout,
  takeConformanceRate,
} from './conformance-operation.ts'
import { requireShop } from './conformance-shop.ts'
import { testCardOf } from './test-card-of.ts'

export const ucpConformanceCompleteCheckout = defineOperation({
  ...ofSuite,
  id: 'ucp_conformance_complete_checkout',
  method: 'POST',
  path: '/checkout-sessions/{id}/complete',
  summary: 'Complete a checkout',
  description: 'Pays a checkout, whose order confirms itself. The answer waits until the money was taken.',
  headers: ConformanceHeaders,
  params: IdParams,
  body: PaymentBody,
  responses: { 200: ConformanceAnswer },
  problems: ['not_found', 'checkout_not_open', 'conformance_checkout_refused', 'conformance_payment_refused'],
  replay: 'current',
  async handle(ctx, { headers: { ucp_call: call }, path, body }) {
    await takeConformanceRate(ctx)
    const { merchant } = await requireShop(ctx)
    const named = { id: path.id, ...askingOf(call) }
    const card = testCardOf(body.payment_data)
    if (card === null) throw new Problem('conformance_payment_refused')
    const { business, webhook_url } = call
    const answer = await completeCheckout(ctx, merchant, {
      ...named,
      instrument: { kind: 'test_card', card },
      confirmsItself: true,
      notify: { webhook_url, release: conformanceRelease, business },
    })
    const refused = areGoodsRefused(answer)
    if (refused) throw refusedLines(refused)
    const begun = shownCheckout(answer, call)
    if (answer.kind !== 'checkout') throw new Error('a checkout that is shown')
    const { row, status } = answer.checkout
    if (status !== 'complete_in_progress' || row.order_id === null) throw notBegun(answer.checkout)
    const orderId = row.order_id
    return reply(200, begun, { settle: () => settled(ctx, { orderId, named, call }) })
  },
  async current(ctx, id) {
    const platform = ctx.actor.id ?? ''
    const answer = await readCheckout(ctx, { id, platform, isSigned: false })
    const declined = refusalOfPayment(answer)
    if (declined) throw declined
    const business = answer.kind === 'checkout' ? (answer.checkout.row.notify?.business ?? '') : ''
    return reply(200, shownCheckout(answer, { business }))
  },
})

type Begun = {
  readonly orderId: string
  readonly named: Parameters<typeof readCheckout>[1]
  readonly call: UcpCall
}

/** The checkout once its money was taken, or refused. */
async function settled(ctx: CallContext, { orderId, named, call }: Begun) {
  const read = () => readCheckout(ctx, named)
  await ctx.waitFor(orderId, completeWaitMs, async () => {
    const now = await read()
    return now.kind === 'checkout' && now.checkout.status === 'complete_in_progress' ? null : true
  })
  const answer = await read()
  return refusalOfPayment(answer) ?? reply(200, shownCheckout(answer, call))
}

function refusalOfPayment(answer: CheckoutAnswer): Problem | null {
  const messages = answer.kind === 'checkout' ? answer.checkout.messages : []
  const declined = messages.find(({ code }) => code === 'payment_failed')
  return declined ? new Problem('conformance_payment_refused', { message: declined.content }) : null
}

/** Why the payment did not begin. */
function notBegun({ messages }: Checkout): Problem {
  const isUnplaced = messages.some(({ code }) => code.startsWith('fulfillment_'))
  const message = isUnplaced
    ? 'Fulfillment address and option must be selected'
    : (messages[0]?.content ?? 'The checkout is not ready.')
  return new Problem('conformance_checkout_refused', { message })
}
