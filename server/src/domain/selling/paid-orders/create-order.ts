import { paidAddress } from '../../../contract/business-address.ts'
import type { CallContext } from '../../../contract/context.ts'
import { defineOperation, type Reply, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import type { Id } from '../../../core/id.ts'
import { Secret } from '../../../platform/secrets/secret.ts'
import { type MppCall, MppHeaders } from '../../../protocols/mpp/mpp-call.ts'
import {
  examineInstrument,
  holdPromotions,
  orderedLines,
  type SentInstrument,
  takeInstrument,
} from '../checkouts/public.ts'
import { type AgreedSale, orderIdOf, readAgreedSale, startSale } from '../sales/public.ts'
import { PaidOrder, renderPaidOrder } from './order-documents.ts'
import { orderKey } from './order-key.ts'
import { OrderRequest } from './order-request.ts'
import { ofPayers, takeOrderRate } from './paid-operation.ts'
import { priceOrder, said } from './price-order.ts'

/** How many milliseconds a call waits for the rail's answer. Most answers need a fraction of a second. */
const paymentWaitMs = 8000

type Payment = NonNullable<MppCall['payment']>

export const mppCreateOrder = defineOperation({
  ...ofPayers,
  id: 'mpp_create_order',
  method: 'POST',
  path: '/orders',
  destructive: true,
  summary: 'Order and pay',
  description:
    'Without a payment it answers with what to pay. With one it holds the money, places the order, and answers with a receipt. The ' +
    'money is taken when the merchant confirms, and released when it does not. The same payment never pays twice.',
  headers: MppHeaders,
  body: OrderRequest,
  responses: { 201: PaidOrder },
  replay: 'current',
  problems: [
    'order_not_possible',
    'order_incomplete',
    'payment_not_accepted',
    'payment_challenge_over',
    'payment_under_way',
  ],
  conflicts: { sales_pkey: 'payment_under_way' },
  async handle(ctx, { headers, body }) {
    await takeOrderRate(ctx)
    const { payment, source } = headers.mpp_call
    // The surface asks for the payment first.
    if (!payment) throw new Problem('payment_not_accepted')
    const id = payment.id as Id<'sal'> // of a challenge of ours
    const known = await readAgreedSale(ctx.reads, ctx.tenant, { id })
    if (known) return settled(ctx, id, rendered(ctx, known))
    return settled(ctx, id, await pay(ctx, body, { payment, source, id }))
  },
  async current(ctx, orderId) {
    const sale = await readAgreedSale(ctx.reads, ctx.tenant, { orderId })
    if (!sale) throw new Error('an idempotency key names an order whose sale is gone')
    const ended = await outcome(ctx, sale.id)
    if (ended instanceof Problem) throw ended
    return ended
  },
})

type Paying = { readonly payment: Payment; readonly source: string | null; readonly id: Id<'sal'> }

/** Begins the sale, if the price is still the one that the challenge asked for. */
async function pay(ctx: CallContext, request: OrderRequest, paying: Paying): Promise<PaidOrder> {
  const { payment, source, id } = paying
  if (ctx.now >= new Date(payment.expires_at)) throw new Problem('payment_challenge_over')
  const { merchant, priced, total, buyer, destination, missing } = await priceOrder(ctx, request)
  if (missing.length > 0 || buyer === null) throw new Problem('order_incomplete', { message: said(missing) })
  const { currency } = priced
  if (total !== payment.amount || currency !== payment.currency) throw priceChanged()
  const cost = { binding: { challengeId: payment.challenge_id }, total, currency }
  const usable = await examineInstrument(ctx, instrumentOf(payment), cost)
  if (usable.kind === 'refused') throw notAccepted(usable.why)
  const use = { id: `${id}:1`, cartId: id, buyer, codes: [], total }
  const promotionUses = await holdPromotions(ctx, merchant.tenant, priced, use)
  if (promotionUses === 'lost') throw priceChanged()
  const taken = await takeInstrument(ctx, usable, orderIdOf(id))
  if (taken.kind === 'refused') throw notAccepted(taken.why)
  const name = buyer.first_name ?? buyer.email
  const amounts = priced.price
  const lineItems = orderedLines(priced.lines)
  const { attribution_token: attributionToken = null } = request
  const { orderId } = startSale(ctx, {
    id,
    merchant: { name: merchant.name, slug: merchant.slug, domain: merchant.domain },
    buyer: { kind: 'payer', profile_url: null, source },
    lineItems,
    amounts,
    taxBasisPoints: amounts.taxBasisPoints,
    currency,
    customer: { name, email: buyer.email, phone: buyer.phone },
    shippingAddress: addressOf(destination, { name, isSent: priced.isSent }),
    promotionUses,
    attributionToken,
    instrument: taken.instrument,
  })
  const { slug } = merchant
  return rendered(ctx, {
    id,
    orderId,
    slug,
    currency,
    amounts,
    lineItems,
    startedAt: ctx.now,
    instrument: taken.instrument.kind,
    attributionToken,
  })
}

function instrumentOf({ method, token }: Payment): SentInstrument {
  switch (method) {
    case 'vault':
      return { kind: 'payment_token', text: token }
    case 'stripe':
      return { kind: 'shared_payment_token', token: new Secret(token) }
    default:
      return method satisfies never
  }
}

function addressOf(
  to: Awaited<ReturnType<typeof priceOrder>>['destination'],
  { name, isSent }: { name: string; isSent: boolean },
) {
  if (!to || !isSent) return null
  const { id: _, recipient_name, line1, city, country, ...rest } = to
  return {
    ...rest,
    recipient_name: recipient_name ?? name,
    line1: line1 ?? '',
    city: city ?? '',
    country: country ?? '',
  }
}

function settled(ctx: CallContext, id: string, order: PaidOrder): Reply<201, PaidOrder> {
  return {
    ...reply(201, order),
    settle: async () => {
      await ctx.waitFor(order.id, paymentWaitMs, () => decided(ctx, id))
      return outcome(ctx, id)
    },
  }
}

async function decided(ctx: CallContext, id: string): Promise<true | null> {
  const sale = await readAgreedSale(ctx.reads, ctx.tenant, { id })
  return sale === null || sale.state === 'charging' ? null : true
}

/** The order as it was placed, or why there is none. */
async function outcome(ctx: CallContext, id: string): Promise<Reply<201, PaidOrder> | Problem> {
  const sale = await readAgreedSale(ctx.reads, ctx.tenant, { id })
  if (!sale || sale.state === 'charging') return new Problem('payment_under_way', { headers: soon })
  if (sale.state === 'undoing' || sale.state === 'declined') {
    const why = sale.failure?.decline_code ?? sale.failure?.code
    return notAccepted(`The payment was declined${why ? `: ${why}` : ''}.`)
  }
  return reply(201, rendered(ctx, sale))
}

const soon = { 'retry-after': '2' }

type Rendering = Pick<
  AgreedSale,
  | 'id'
  | 'orderId'
  | 'slug'
  | 'currency'
  | 'amounts'
  | 'lineItems'
  | 'startedAt'
  | 'instrument'
  | 'attributionToken'
>

function rendered({ settings, tenant, sealer }: CallContext, sale: Rendering): PaidOrder {
  const { id, orderId, slug, currency, amounts, lineItems, startedAt, attributionToken } = sale
  const merchant = paidAddress(settings.publicUrl, { mode: tenant.mode, slug: slug ?? '' })
  return renderPaidOrder({
    saleId: id,
    orderId,
    currency,
    amounts,
    lineItems,
    method: sale.instrument === 'shared_payment_token' ? 'stripe' : 'vault',
    at: startedAt,
    attributionToken,
    statusUrl: `${merchant}/orders/${orderId}?key=${orderKey(orderId, sealer)}`,
  })
}

function notAccepted(why: string): Problem {
  return new Problem('payment_not_accepted', { message: `${why} Nothing was charged.` })
}

function priceChanged(): Problem {
  return new Problem('payment_challenge_over', {
    message: 'The price is another than the challenge asked for. Nothing was charged. Answer the new one.',
  })
}
