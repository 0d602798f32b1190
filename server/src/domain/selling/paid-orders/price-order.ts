import type { CallContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import { toWire } from '../../../core/money.ts'
import { normalizeCurrency } from '../../../schema/formats.ts'
import {
  type CheckoutDestination,
  type CheckoutMerchant,
  type CheckoutMessage,
  type PricedCheckout,
  priceCheckout,
  readBusiness,
  withLineIds,
} from '../checkouts/public.ts'
import { totalOf } from '../pricing/public.ts'
import type { OrderRequest } from './order-request.ts'

type PricedOrder = {
  readonly merchant: CheckoutMerchant
  readonly priced: PricedCheckout
  readonly total: number
  readonly buyer: ReturnType<typeof buyerOf>
  readonly destination: CheckoutDestination | null
  /** What is missing until it can be ordered. */
  readonly missing: readonly CheckoutMessage[]
}

/** Prices what a payer wants, by the same rules as any cart of the merchant. Throws what makes it impossible. */
export async function priceOrder(ctx: CallContext, request: OrderRequest): Promise<PricedOrder> {
  const merchant = await readBusiness(ctx)
  const buyer = buyerOf(request)
  const destination = destinationOf(request)
  const priced = await priceCheckout(ctx, merchant, {
    lines: withLineIds(
      request.items.map(({ variant_id: itemId, quantity = 1 }) => ({ id: null, itemId, quantity })),
    ),
    currency: request.currency === undefined ? null : normalizeCurrency(request.currency),
    buyer,
    destination,
    optionId: request.shipping_option_id ?? null,
    codes: [],
    takesPart: false,
  })
  if (priced.kind === 'refused') throw new Problem('order_not_possible', { message: said(priced.messages) })
  const total = toWire(totalOf(priced.price))
  const missing = [
    ...priced.messages.filter(({ type }) => type === 'error').map(inWordsOfPayers),
    ...(buyer === null ? [noBuyer] : []),
    ...(total === 0 ? [free] : []),
  ]
  return { merchant, priced, total, buyer, destination, missing }
}

function inWordsOfPayers(message: CheckoutMessage): CheckoutMessage {
  return message.code === 'fulfillment_destination_required' ? noAddress : message
}

const noAddress: CheckoutMessage = {
  type: 'error',
  code: 'shipping_address_required',
  content: 'Say where the goods go: send `shipping_address`.',
}

const noBuyer: CheckoutMessage = {
  type: 'error',
  code: 'buyer_required',
  content: 'Say who it is for: send `buyer` with an e-mail address.',
}

const free: CheckoutMessage = {
  type: 'error',
  code: 'nothing_to_pay',
  content: 'The total is 0, and such an order cannot be placed here.',
}

/** What stands in the way, in one text. */
export function said(messages: readonly CheckoutMessage[]): string {
  return messages.map(({ content }) => content).join(' ')
}

function buyerOf({ buyer }: OrderRequest) {
  if (!buyer) return null
  const { name = null, email, phone = null } = buyer
  return { first_name: name, last_name: null, email, phone }
}

function destinationOf({ shipping_address: to }: OrderRequest): CheckoutDestination | null {
  if (!to) return null
  return {
    id: 'shipping_address',
    recipient_name: to.recipient_name ?? null,
    line1: to.line1,
    line2: to.line2 ?? null,
    city: to.city,
    state: to.state ?? null,
    postal_code: to.postal_code ?? null,
    country: to.country,
  }
}
