import type { CallContext } from '../../../contract/context.ts'
import { derivedId } from '../../../platform/ids/derived-id.ts'
import { orderIdOf, readSale, type SaleProgress, startSale } from '../sales/public.ts'
import { holdPromotions, orderedLines } from './agreed-price.ts'
import type { CheckoutMessage, CheckoutRow, OrderNotify } from './checkout.ts'
import type { CheckoutRequest } from './checkout-request.ts'
import { insertCheckout, lockCheckout, selectCheckout, updateCheckout } from './checkouts.sql.ts'
import {
  examineInstrument,
  refusedInstrument,
  type SentInstrument,
  takeInstrument,
} from './payment-instrument.ts'
import type { PricedCheckout } from './price-checkout.ts'
import { type CheckoutStatus, progressOf } from './progress.ts'
import { searchToken } from './read-checkout-body.ts'
import { type CheckoutMerchant, describeCheckout, isReady } from './write-checkout.ts'

/** A checkout as its platform sees it. */
export type Checkout = {
  readonly row: CheckoutRow
  readonly status: CheckoutStatus
  readonly messages: readonly CheckoutMessage[]
}

/** `not_found`: this platform has no such checkout. `not_open`: it has ended, or is being paid. */
export type CheckoutAnswer =
  | { readonly kind: 'checkout'; readonly checkout: Checkout }
  | { readonly kind: 'refused'; readonly messages: readonly CheckoutMessage[] }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'not_open'; readonly checkout: Checkout }

/** Who asks: a platform, and whether it has signed the request. */
export type Asking = { readonly platform: string; readonly isSigned: boolean }

type Named = Asking & { readonly id: string }

export async function openCheckout(
  ctx: CallContext,
  merchant: CheckoutMerchant,
  { platform, isSigned, ...request }: CheckoutRequest & Asking,
): Promise<CheckoutAnswer> {
  const written = await describeCheckout(ctx, merchant, request, {
    id: ctx.newId('cko'),
    platform,
    is_signed: isSigned,
    before: null,
  })
  if (written.kind === 'refused') return written
  ctx.tx.write(insertCheckout(written.row))
  return shown(ctx, written.row, null)
}

export async function readCheckout(ctx: CallContext, named: Named): Promise<CheckoutAnswer> {
  const { accountId: account_id, mode } = ctx.tenant
  const row = await ctx.reads.maybe(selectCheckout({ account_id, mode, id: named.id }))
  if (!row || !mayAsk(row, named)) return { kind: 'not_found' }
  return shown(ctx, row, await saleOf(ctx, row))
}

/** Replaces what the checkout says. */
export async function reviseCheckout(
  ctx: CallContext,
  merchant: CheckoutMerchant,
  { id, platform, isSigned, ...request }: CheckoutRequest & Named,
): Promise<CheckoutAnswer> {
  const held = await lockOpen(ctx, { id, platform, isSigned })
  if (held.kind !== 'open') return held
  const { row } = held
  const written = await describeCheckout(ctx, merchant, request, { ...row, before: row })
  // What cannot be sold changes nothing: the platform sees the checkout as it was, and why.
  if (written.kind === 'refused')
    return { kind: 'checkout', checkout: { row, status: 'incomplete', messages: written.messages } }
  ctx.tx.write(updateCheckout(written.row))
  return shown(ctx, written.row, null)
}

export async function cancelCheckout(ctx: CallContext, named: Named): Promise<CheckoutAnswer> {
  const held = await lockOpen(ctx, named)
  if (held.kind !== 'open') return held
  const row: CheckoutRow = { ...held.row, state: 'canceled', updated_at: ctx.now }
  ctx.tx.write(updateCheckout(row))
  return shown(ctx, row, null)
}

type CheckoutPayment = {
  readonly instrument: SentInstrument
  readonly notify: OrderNotify
}

/**
 * Begins to pay. The price is computed again, and where it is another, the platform sees the new one first. A worker then holds the money,
 * and the merchant answers the order.
 */
export async function completeCheckout(
  ctx: CallContext,
  merchant: CheckoutMerchant,
  { instrument, notify, ...named }: CheckoutPayment & Named,
): Promise<CheckoutAnswer> {
  const held = await lockOpen(ctx, named)
  if (held.kind !== 'open') return held
  // What the platform has to mend stays so until it is mended: pricing again would choose for it.
  if (!isReady(held.row)) return shown(ctx, held.row, null)
  const again = await describeCheckout(ctx, merchant, requestOf(held.row), { ...held.row, before: held.row })
  if (again.kind === 'refused')
    return { kind: 'checkout', checkout: { row: held.row, status: 'incomplete', messages: again.messages } }
  const { row } = again
  const { status, messages } = progressOf(row, null, ctx.now)
  if (status !== 'ready_for_complete' || row.price.total !== held.row.price.total) {
    ctx.tx.write(updateCheckout(row))
    const why = status === 'ready_for_complete' ? [...messages, priceChanged] : messages
    return { kind: 'checkout', checkout: { row, status, messages: why } }
  }
  return await pay(ctx, { merchant, row, priced: again.priced, instrument, notify })
}

const priceChanged: CheckoutMessage = {
  type: 'warning',
  code: 'price_changed',
  content: 'The price is another than before. Nothing was charged. Complete again if the buyer agrees to it.',
  path: '$.totals',
}

type Paying = CheckoutPayment & {
  readonly merchant: CheckoutMerchant
  readonly row: CheckoutRow
  readonly priced: PricedCheckout
}

async function pay(
  ctx: CallContext,
  { merchant, row, priced, instrument, notify }: Paying,
): Promise<CheckoutAnswer> {
  const payments = row.payments + 1
  const id = derivedId('sal', row.id, payments)
  const open = (message: CheckoutMessage): CheckoutAnswer => ({
    kind: 'checkout',
    checkout: { row, status: 'ready_for_complete', messages: [message] },
  })
  const cost = { binding: { checkoutId: row.id }, total: row.price.total, currency: row.currency }
  const usable = await examineInstrument(ctx, instrument, cost)
  if (usable.kind === 'refused') return open(refusedInstrument(usable.why))
  const { id: cartId, buyer, codes } = row
  const use = { id: `${cartId}:${payments}`, cartId, buyer, codes, total: row.price.total }
  const promotionUses = await holdPromotions(ctx, merchant.tenant, priced, use)
  if (promotionUses === 'lost') return open(priceChanged)
  const taken = await takeInstrument(ctx, usable, orderIdOf(id))
  if (taken.kind === 'refused') return open(refusedInstrument(taken.why))
  const { price } = row
  const sale = startSale(ctx, {
    id,
    merchant: { name: merchant.name, slug: merchant.slug, domain: merchant.domain },
    buyer: { kind: 'platform', profile_url: row.platform, source: null },
    lineItems: orderedLines(row.lines),
    amounts: {
      subtotal: BigInt(price.subtotal),
      fulfillment: BigInt(price.fulfillment),
      tax: BigInt(price.tax),
      discount: BigInt(price.discount),
    },
    taxBasisPoints: price.tax_basis_points,
    currency: row.currency,
    customer: customerOf(row),
    shippingAddress: addressOf(row),
    promotionUses,
    attributionToken: row.attribution[searchToken] ?? null,
    instrument: taken.instrument,
  })
  const paying: CheckoutRow = {
    ...row,
    state: 'completing',
    notify,
    payments,
    sale_id: sale.id,
    order_id: sale.orderId,
    updated_at: ctx.now,
  }
  ctx.tx.write(updateCheckout(paying))
  return shown(ctx, paying, sale)
}

/** What a checkout says already, as a request. */
function requestOf(row: CheckoutRow): CheckoutRequest {
  return {
    lines: row.lines.map(({ id, item_id: itemId, quantity }) => ({ id, itemId, quantity })),
    currency: row.currency,
    buyer: row.buyer,
    delivery: row.delivery && {
      destinations: row.delivery.destinations,
      selectedDestinationId: row.delivery.selected_destination_id,
      selectedOptionId: row.delivery.selected_option_id,
    },
    codes: row.codes,
    attribution: row.attribution,
  }
}

function customerOf({ buyer }: CheckoutRow) {
  const name = [buyer?.first_name, buyer?.last_name].filter(Boolean).join(' ')
  return {
    name: name === '' ? (buyer?.email ?? '') : name,
    email: buyer?.email ?? '',
    phone: buyer?.phone ?? null,
  }
}

function addressOf(row: CheckoutRow) {
  const { delivery } = row
  const to = delivery?.destinations.find(({ id }) => id === delivery.selected_destination_id)
  if (!to) return null
  return {
    recipient_name: to.recipient_name ?? customerOf(row).name,
    line1: to.line1 ?? '',
    line2: to.line2,
    city: to.city ?? '',
    state: to.state,
    postal_code: to.postal_code,
    country: to.country ?? '',
  }
}

type Held =
  | { readonly kind: 'open'; readonly row: CheckoutRow }
  | Extract<CheckoutAnswer, { kind: 'not_found' | 'not_open' }>

/** Locks a checkout that its platform may change. After a declined payment it is open again. */
async function lockOpen(ctx: CallContext, named: Named): Promise<Held> {
  const { accountId: account_id, mode } = ctx.tenant
  const row = await ctx.tx.maybe(lockCheckout({ account_id, mode, id: named.id }))
  if (!row || !mayAsk(row, named)) return { kind: 'not_found' }
  const sale = await saleOf(ctx, row)
  const { status, messages } = progressOf(row, sale, ctx.now)
  return status === 'incomplete' || status === 'ready_for_complete'
    ? { kind: 'open', row: { ...row, state: 'open' } }
    : { kind: 'not_open', checkout: { row, status, messages } }
}

/** A profile is public, so naming it proves nothing; what was opened by a signed request asks for signatures from then on. */
function mayAsk(row: CheckoutRow, { platform, isSigned }: Asking): boolean {
  return row.platform === platform && (isSigned || !row.is_signed)
}

async function saleOf(ctx: CallContext, { state, sale_id: id }: CheckoutRow): Promise<SaleProgress | null> {
  return state === 'completing' && id !== null ? await readSale(ctx.reads, ctx.tenant, id) : null
}

function shown(ctx: CallContext, row: CheckoutRow, sale: SaleProgress | null): CheckoutAnswer {
  return { kind: 'checkout', checkout: { row, ...progressOf(row, sale, ctx.now) } }
}
