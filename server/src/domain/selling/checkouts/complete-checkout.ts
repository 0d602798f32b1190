import type { CallContext } from '../../../contract/context.ts'
import { defineOperation } from '../../../contract/operation.ts'
import { UcpHeaders } from '../../../protocols/ucp/ucp-call.ts'
import { readSale } from '../sales/public.ts'
import { type CheckoutAnswer, completeCheckout, readCheckout } from './change-checkout.ts'
import { CheckoutAnswerBody, CompleteBody, type PaymentInstrument } from './checkout-body.ts'
import {
  askingOf,
  CheckoutParams,
  ofPlatforms,
  readBusiness,
  say,
  takeCheckoutRate,
} from './checkout-operation.ts'
import { instrumentOf, refusedInstrument } from './payment-instrument.ts'

/** How many milliseconds a call waits for the rail's answer. Most answers need a fraction of a second. */
const completeWaitMs = 5000

export const ucpCompleteCheckout = defineOperation({
  ...ofPlatforms,
  id: 'ucp_complete_checkout',
  method: 'POST',
  path: '/checkout-sessions/{id}/complete',
  summary: 'Complete a checkout',
  description:
    'Pays a checkout that is ready, with one instrument of a payment handler that the checkout names. The money is held until the ' +
    'business has answered the order: until then the checkout is `complete_in_progress`. The same Idempotency-Key never pays twice.',
  headers: UcpHeaders,
  params: CheckoutParams,
  body: CompleteBody,
  responses: { 200: CheckoutAnswerBody },
  problems: ['checkout_not_open'],
  async handle(ctx, { headers, path, body }) {
    await takeCheckoutRate(ctx)
    const { ucp_call: call } = headers
    const named = { id: path.id, ...askingOf(call) }
    const read = instrumentOf(ctx, selectedOf(body.payment.instruments))
    if (read.kind === 'refused') return say(call, withMessage(await readCheckout(ctx, named), read.why), 200)
    const business = await readBusiness(ctx)
    const { release, business: address, webhook_url } = call
    const notify = { webhook_url, release, business: address }
    const payment = { ...named, instrument: read.instrument, notify }
    const answer = await completeCheckout(ctx, business, payment)
    const said = say(call, answer, 200)
    const { sale_id: saleId, order_id: orderId } = answer.kind === 'checkout' ? answer.checkout.row : noSale
    if (saleId === null || orderId === null) return said
    return {
      ...said,
      settle: async () => {
        await ctx.waitFor(orderId, completeWaitMs, () => decided(ctx, saleId))
        return say(call, await readCheckout(ctx, named), 200)
      },
    }
  },
})

const noSale = { sale_id: null, order_id: null }

/** Several may be sent; one of them is paid with. */
function selectedOf(instruments: readonly PaymentInstrument[]): PaymentInstrument | null {
  const [only, ...others] = instruments
  if (only && others.length === 0) return only
  const selected = instruments.filter((one) => one.selected)
  return selected.length === 1 ? (selected[0] ?? null) : null
}

async function decided(ctx: CallContext, saleId: string): Promise<true | null> {
  const sale = await readSale(ctx.reads, ctx.tenant, saleId)
  return sale === null || sale.state === 'charging' ? null : true
}

function withMessage(answer: CheckoutAnswer, content: string): CheckoutAnswer {
  if (answer.kind !== 'checkout') return answer
  const { checkout } = answer
  return {
    kind: 'checkout',
    checkout: { ...checkout, messages: [...checkout.messages, refusedInstrument(content)] },
  }
}
