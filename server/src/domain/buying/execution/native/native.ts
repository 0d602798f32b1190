import type { ActingContext } from '../../../../contract/context.ts'
import type { Id } from '../../../../core/id.ts'
import { TookTooLong } from '../../../../platform/database/owner-shares.ts'
import { derivedId } from '../../../../platform/ids/derived-id.ts'
import {
  findVariant,
  type ResolvedUrl,
  resolveItemUrls,
  stockFor,
  type Variant,
} from '../../../selling/catalog/public.ts'
import { selectMerchantRow } from '../../../selling/merchant/public.ts'
import type { PromotionRow } from '../../../selling/promotions/public.ts'
import type { RateFacts } from '../../../selling/rate-cards/public.ts'
import {
  createOrderInTx,
  type LineItem,
  type OrderRow,
  selectOrder,
  taxOf,
} from '../../../trade/orders/public.ts'
import { isSoldByAnother } from '../../intents/public.ts'
import type { ChannelTerms, OfferAnswer, OfferLine, OfferRefusalCode, Placed, PlaceRefusal } from '../port.ts'
import { fulfillmentFeeFor, marketFor, readRatesFor } from './fulfillment.ts'
import { merchantOf, orderByPromotion, readPromotions, reservePromotion } from './promotions.ts'
import { offerFromQuote } from './quoted-offer.ts'
import type { NativeItem, NativeOfferRequest, NativePlaceRequest } from './requests.ts'

export const nativeTerms = {
  name: 'native',
  modes: ['test', 'live'],
  payment: 'authorization',
} as const satisfies ChannelTerms

/** A new order always awaits its merchant. */
export type NativePlaceAnswer =
  | { readonly kind: 'pending'; readonly value: NativePlaced & { readonly orderRow: Id<'ord'> } }
  | { readonly kind: 'refused'; readonly refusal: PlaceRefusal }

/** `owed`: what is owed for the order, which can be less than was held for it. */
type NativePlaced = Placed & { readonly owed: bigint }

/** How an order stands. */
export type NativeOrder =
  | { readonly kind: 'pending' | 'closed' }
  | { readonly kind: 'done'; readonly value: NativePlaced }
  | { readonly kind: 'refused'; readonly refusal: PlaceRefusal }

/**
 * Buying from a merchant of ours: the offer is its catalog, the order a row that is sent to its backend by webhook, to be confirmed or
 * rejected. Everything happens inside our own transactions, so that nothing can be lost on the way: this is no channel, which makes
 * calls and may get no answer.
 */
export const native = {
  offer: (request: NativeOfferRequest, ctx: ActingContext): Promise<OfferAnswer> =>
    request.items[0]?.quoteId ? offerFromQuote(request, ctx) : offerFromCatalog(request, ctx),
  place: placeOrder,
  read: readOrder,
}

async function offerFromCatalog(request: NativeOfferRequest, ctx: ActingContext): Promise<OfferAnswer> {
  const urls = request.items.map(({ url }) => url)
  const owner = merchantOf(ctx, request)
  let offered: [(ResolvedUrl | null)[], RateFacts, PromotionRow[]]
  try {
    offered = await ctx.apart(owner, (reads) =>
      Promise.all([
        resolveItemUrls(reads, ctx.tenant, urls),
        readRatesFor(request, owner, reads),
        readPromotions(owner, reads),
      ]),
    )
  } catch (error) {
    // Its data is more than can be looked through: its own carts wait, and end after a few tries, and nobody else's do.
    if (error instanceof TookTooLong) return { kind: 'unavailable' }
    throw error
  }
  const [found, rates, running] = offered
  const isChanged = request.items.some((item, index) =>
    isSoldByAnother(item.soldBy, found[index]?.merchant ?? null),
  )
  if (isChanged) return { kind: 'refused', code: 'merchant_changed', message: null }
  // Its backend is to answer the order and has never answered anything: no money is held for what it may never hear of.
  if (found.some((one) => one?.merchant.awaits_confirmation)) return { kind: 'unavailable' }
  const taken = new Map<string, number>()
  const lines: OfferLine[] = []
  for (const [index, item] of request.items.entries()) {
    const line = lineOf(item, found[index] ?? null, request, taken)
    if (typeof line === 'string') return { kind: 'refused', code: line, message: null }
    lines.push(line)
  }
  const fee = fulfillmentFeeFor(request, { lines, found, rates, at: ctx.now })
  if (fee.kind === 'undeliverable')
    return { kind: 'refused', code: 'address_undeliverable', message: fee.message }
  const subtotal = lines.reduce((sum, line) => sum + line.unitAmount * BigInt(line.quantity), 0n)
  const fulfillment = fee.amount
  const marketId = marketFor(request, rates)
  const priced = { found, lines, subtotal, fulfillment, marketId }
  const promotion = await reservePromotion(ctx, running, request, priced)
  const off = promotion ?? { merchandise: 0n, fulfillment: 0n }
  const discount = off.merchandise + off.fulfillment
  const taxBasisPoints = found[0]?.merchant.tax_basis_points ?? 0
  // Tax is owed on what the goods are sold for.
  const tax = taxOf(subtotal - off.merchandise, taxBasisPoints)
  const offer = {
    reference: promotion?.promotionId ?? null,
    lines,
    subtotal,
    fulfillment,
    tax,
    discount,
    total: subtotal + fulfillment + tax - discount,
    currency: request.currency,
    // With a discount tax is no longer a rate of the subtotal: another price keeps its part of it.
    ...(off.merchandise === 0n ? { taxBasisPoints } : {}),
  }
  return { kind: 'offer', offer }
}

/** `taken` counts what earlier lines of the same cart want of a variant. */
function lineOf(
  item: NativeItem,
  found: ResolvedUrl | null,
  request: NativeOfferRequest,
  taken: Map<string, number>,
): OfferLine | OfferRefusalCode {
  if (found === null || found.merchant.account_id !== request.merchantAccountId || found.item === null)
    return 'product_not_found'
  const variant = findVariant(found.item, item.variant)
  if (variant === 'required') return 'variant_required'
  if (variant === 'not_found' || variant.price === null) return 'product_not_found'
  const wanted = (taken.get(variant.id) ?? 0) + item.quantity
  taken.set(variant.id, wanted)
  const stock = stockFor(variant, wanted)
  if (stock !== 'available') return stock
  if (variant.currency !== request.currency) return 'unsupported_currency'
  return {
    itemId: item.id,
    quantity: item.quantity,
    unitAmount: BigInt(variant.price),
    title: titleOf(found.item.title, variant),
    listing: { itemId: found.item.id, variantId: variant.id, sku: variant.sku },
  }
}

function titleOf(title: string | null, variant: Variant): string | null {
  return variant.title === null || variant.title === title ? title : `${title ?? ''} ${variant.title}`.trim()
}

async function placeOrder(request: NativePlaceRequest, ctx: ActingContext): Promise<NativePlaceAnswer> {
  const { mode } = ctx.tenant
  const { merchantAccountId, cartId, attempt, idScheme } = request
  const [merchant, buyer] = await Promise.all([
    ctx.tx.maybe(selectMerchantRow({ account_id: merchantAccountId, mode })),
    request.buyer(),
  ])
  if (!merchant) throw new Error('an order without its merchant')
  if (request.items.some((item) => isSoldByAnother(item.soldBy, merchant)))
    return refused('merchant_changed', null)
  const { subtotal, fulfillment, tax, discount } = request.offer
  // The same one again after a restore from a backup, so that the merchant can tell.
  const id = derivedId(idScheme, 'ord', cartId, attempt)
  if (!(await orderByPromotion(ctx, request, id))) return refused('price_changed', null)
  const order = createOrderInTx(ctx, {
    id,
    merchant: {
      accountId: merchantAccountId,
      name: merchant.name,
      slug: merchant.slug,
      domain: merchant.domain,
    },
    purchaseIntentId: request.intentId,
    cartId,
    attempt,
    idScheme,
    quoteId: request.items[0]?.quoteId ?? null,
    currency: request.offer.currency,
    lineItems: request.items.map((item) =>
      lineItemOf(
        item,
        request.offer.lines.find((line) => line.itemId === item.id),
        item.quoteId ? subtotal : null,
      ),
    ),
    amounts: { subtotal, fulfillment, tax, discount },
    taxBasisPoints: request.offer.taxBasisPoints ?? null,
    customer: { name: buyer.name, email: buyer.email, phone: buyer.phone },
    shippingAddress: request.shipTo && {
      recipient_name: request.shipTo.recipientName,
      line1: request.shipTo.line1,
      line2: request.shipTo.line2,
      city: request.shipTo.city,
      state: request.shipTo.state,
      postal_code: request.shipTo.postalCode,
      country: request.shipTo.country,
    },
  })
  return { kind: 'pending', value: { orderRow: id, ...placed(order) } }
}

/** `whole`: what was quoted for all of it, which need not be a multiple of a unit's price. */
function lineItemOf(item: NativeItem, line: OfferLine | undefined, whole: bigint | null): LineItem {
  if (!line) throw new Error('an item without a line of its offer')
  const { listing } = line
  return {
    catalog_item_id: (listing?.itemId ?? null) as LineItem['catalog_item_id'], // a catalog row's own id, widened by the port
    catalog_variant_id: (listing?.variantId ?? null) as LineItem['catalog_variant_id'],
    sku: listing?.sku ?? null,
    title: line.title ?? item.url,
    url: item.url,
    quantity: line.quantity,
    unit_amount: Number(line.unitAmount),
    amount: Number(whole ?? line.unitAmount * BigInt(line.quantity)),
  }
}

async function readOrder(id: string | null, ctx: ActingContext): Promise<NativeOrder> {
  const { accountId: account_id, mode } = ctx.tenant
  const order = id === null ? null : await ctx.tx.maybe(selectOrder({ account_id, mode, id }))
  // Only a transaction that has ended without it could have made it.
  if (!order) return { kind: 'closed' }
  switch (order.status) {
    case 'awaiting_confirmation':
      return { kind: 'pending' }
    case 'confirmed':
    case 'fulfilling':
    case 'completed':
      return { kind: 'done', value: placed(order) }
    case 'rejected':
      return refused('order_rejected_by_merchant', order.note)
    case 'expired':
      return refused('order_confirmation_timeout', null)
    case 'cancelled':
      return refused('cancelled', null)
    default:
      return order.status satisfies never
  }
}

function placed({ confirmation_reference: orderId, total_amount: owed }: OrderRow): NativePlaced {
  return { orderId, transactionId: null, owed }
}

function refused(
  code: PlaceRefusal['code'],
  message: string | null,
): { kind: 'refused'; refusal: PlaceRefusal } {
  return { kind: 'refused', refusal: { code, message, declineCode: null } }
}
