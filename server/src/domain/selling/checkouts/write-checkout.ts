import type { ActingContext, Tenant } from '../../../contract/context.ts'
import { toWire } from '../../../core/money.ts'
import { totalOf } from '../pricing/public.ts'
import type { CheckoutDelivery, CheckoutMessage, CheckoutPrice, CheckoutRow } from './checkout.ts'
import { type CheckoutRequest, destinationsOf } from './checkout-request.ts'
import { type PricedCheckout, priceCheckout } from './price-checkout.ts'
import { withLineIds } from './pricing-facts.ts'
import { withSearch } from './read-checkout-body.ts'

/** For how many hours a checkout can be completed after it was last changed. */
const openHours = 6

/** The merchant that a platform buys from. */
export type CheckoutMerchant = {
  readonly tenant: Tenant
  readonly name: string | null
  readonly slug: string | null
  readonly domain: string | null
  readonly taxBasisPoints: number
}

/** What a platform's request makes of a checkout. Refused: nothing changed, and the messages say why. */
type Written =
  | { readonly kind: 'written'; readonly row: CheckoutRow; readonly priced: PricedCheckout }
  | { readonly kind: 'refused'; readonly messages: readonly CheckoutMessage[] }

type Whose = Pick<CheckoutRow, 'id' | 'platform' | 'is_signed'> & { readonly before: CheckoutRow | null }

/** The row of a checkout as a request describes it, priced at this moment. It writes nothing. */
export async function describeCheckout(
  ctx: ActingContext,
  merchant: CheckoutMerchant,
  request: CheckoutRequest,
  { id, platform, is_signed, before }: Whose,
): Promise<Written> {
  const lines = withLineIds(request.lines)
  const { destinations, selected } = destinationsOf(request.delivery, before?.delivery ?? null)
  const priced = await priceCheckout(ctx, merchant, {
    lines,
    currency: before?.currency ?? request.currency,
    buyer: request.buyer,
    destination: selected,
    optionId: request.delivery?.selectedOptionId ?? null,
    codes: request.codes,
    takesPart: true,
  })
  if (priced.kind === 'refused') return priced
  const delivery: CheckoutDelivery | null = priced.isSent
    ? {
        destinations,
        selected_destination_id: selected?.id ?? null,
        options: priced.options,
        selected_option_id: priced.selectedOptionId,
      }
    : null
  const row: CheckoutRow = {
    account_id: merchant.tenant.accountId,
    mode: merchant.tenant.mode,
    id,
    platform,
    is_signed,
    state: 'open',
    currency: priced.currency,
    lines: priced.lines,
    buyer: request.buyer,
    delivery,
    codes: request.codes,
    price: priceOf(priced),
    messages: [...messagesOf(request, priced), ...deliveryFaults(request, lines)],
    attribution: withSearch(request.attribution, before?.attribution),
    notify: before?.notify ?? null,
    payments: before?.payments ?? 0,
    sale_id: before?.sale_id ?? null,
    order_id: before?.order_id ?? null,
    expires_at: new Date(ctx.now.getTime() + openHours * 3_600_000),
    created_at: before?.created_at ?? ctx.now,
    updated_at: ctx.now,
  }
  return { kind: 'written', row, priced }
}

function priceOf({ price, discounts }: PricedCheckout): CheckoutPrice {
  return {
    subtotal: toWire(price.subtotal),
    fulfillment: toWire(price.fulfillment),
    tax: toWire(price.tax),
    discount: toWire(price.discount),
    total: toWire(totalOf(price)),
    tax_basis_points: price.taxBasisPoints,
    discounts,
  }
}

function messagesOf({ buyer }: CheckoutRequest, priced: PricedCheckout): CheckoutMessage[] {
  const noEmail: CheckoutMessage = {
    type: 'error',
    code: 'buyer_email_required',
    content: 'The merchant needs an e-mail address of the buyer.',
    path: '$.buyer.email',
    severity: 'recoverable',
  }
  const free: CheckoutMessage = {
    type: 'error',
    code: 'nothing_to_pay',
    content: 'The total is 0, and such an order cannot be placed here.',
    path: '$.totals',
    severity: 'unrecoverable',
  }
  return [
    ...priced.messages,
    ...(buyer?.email ? [] : [noEmail]),
    ...(totalOf(priced.price) === 0n ? [free] : []),
  ]
}

/** Nothing of a way of fulfillment is passed over silently. */
function deliveryFaults(
  { delivery }: CheckoutRequest,
  lines: readonly { readonly id: string }[],
): CheckoutMessage[] {
  const ids = lines.map(({ id }) => id)
  const stray = (delivery?.lineIds ?? []).filter(({ id }) => !ids.includes(id))
  return [
    ...stray.map(({ id, path }) => ({
      type: 'error' as const,
      code: 'line_item_not_found',
      content: `"${id}" is no line item of this checkout. Name line items by their own ids: ${ids.join(', ')}.`,
      path,
      severity: 'recoverable' as const,
    })),
    ...(delivery?.unused ?? []).map((path) => ({
      type: 'warning' as const,
      code: 'fulfillment_method_not_used',
      content: 'All goods go together, by the first way that ships them. This one is not used.',
      path,
    })),
  ]
}

/** Whether nothing is missing any more. */
export function isReady({ messages }: Pick<CheckoutRow, 'messages'>): boolean {
  return messages.every(({ type }) => type !== 'error')
}
