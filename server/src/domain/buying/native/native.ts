import type { ActingContext } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import { toWire } from '../../../core/money.ts'
import { TookTooLong } from '../../../platform/database/owner-shares.ts'
import { derivedId } from '../../../platform/ids/derived-id.ts'
import { missingInputs, type ResolvedUrl } from '../../selling/catalog/public.ts'
import { readMerchant } from '../../selling/merchant/public.ts'
import { readPayout } from '../../selling/payouts/public.ts'
import { lineAmount, priceGoods, readGoods, withDiscount } from '../../selling/pricing/public.ts'
import { sumOfDiscounts } from '../../selling/promotions/public.ts'
import { createOrderInTx, type LineItem, type OrderProgress, readOrder } from '../../trade/orders/public.ts'
import type { ChannelTerms, OfferAnswer, OfferLine, PlaceRefusal } from '../channels/public.ts'
import { fieldsFor, isSoldByAnother } from '../intents/public.ts'
import { timing } from '../rails/public.ts'
import { cartRequest, offerOf, placeOf } from './price.ts'
import {
  merchantOf,
  orderByPromotions,
  promotedReference,
  reservePromotions,
  triedCode,
} from './promotions.ts'
import { offerFromQuote } from './quoted-offer.ts'
import type {
  NativeItem,
  NativeOfferAnswer,
  NativeOfferRequest,
  NativeOrder,
  NativePlaceAnswer,
  NativePlaced,
  NativePlaceRequest,
} from './requests.ts'

export const nativeTerms = {
  name: 'native',
  modes: ['test', 'live'],
  payment: 'authorization',
  hasStrangers: false,
  longestCallMs: timing.longestCallMs,
} as const satisfies ChannelTerms

/**
 * Buying from a merchant of ours: the offer is its catalog, and the order is a row that a webhook sends to its backend, to be confirmed
 * or rejected. Everything happens inside our own transactions, so nothing can be lost on the way. So this is not a channel, which makes
 * calls and may get no answer.
 */
export const native = {
  offer: offerToPay,
  place: placeOrder,
  read: readNativeOrder,
}

/** The offer, with the account that is paid for it. */
async function offerToPay(request: NativeOfferRequest, ctx: ActingContext): Promise<NativeOfferAnswer> {
  const { mode } = ctx.tenant
  const payout = await readPayout(ctx.tx, { accountId: request.merchantAccountId, mode })
  // guard paid-merchants-sell: no money is held for a merchant that nobody would pay
  if (payout.to === 'nobody') return { kind: 'refused', code: 'merchant_not_payable', message: null }
  const answer = await (request.items[0]?.quoteId
    ? offerFromQuote(request, ctx)
    : offerFromCatalog(request, ctx))
  if (answer.kind !== 'offer' || payout.to !== 'account') return answer
  return { ...answer, offer: { ...answer.offer, payTo: payout.account } }
}

async function offerFromCatalog(request: NativeOfferRequest, ctx: ActingContext): Promise<OfferAnswer> {
  const merchant = merchantOf(ctx, request)
  const wanted = {
    buyer: ctx.tenant,
    merchant,
    urls: request.items.map(({ url }) => url),
    place: placeOf(request.buyer.shipTo),
  }
  const read = await ctx.apart(merchant, (reads) => readGoods(reads, wanted)).catch(tookTooLong)
  // The merchant has more data than can be read in time: only its own carts wait, and end after a few tries.
  if (read === null) return { kind: 'unavailable' }
  const { found, ...terms } = read
  const isChanged = request.items.some((item, index) =>
    isSoldByAnother(item.soldBy, found[index]?.merchant ?? null),
  )
  // guard same-merchant-at-the-catalog: nothing is authorized for a merchant that has become another
  if (isChanged) return { kind: 'refused', code: 'merchant_changed', message: null }
  // Its backend has to answer the order and has never answered anything: no money is held for an order that it may never receive.
  // guard seller-has-confirmed: no money is held for a merchant whose backend has not confirmed its endpoint
  if (found.some((one) => one?.merchant.awaits_confirmation)) return { kind: 'unavailable' }
  const fields = lackingFields(request, found)
  if (fields.length > 0) return { kind: 'needs_input', fields, message: null, session: null }
  const taxBasisPoints = found[0]?.merchant.tax_basis_points ?? 0
  const goods = priceGoods({ ...terms, taxBasisPoints }, cartRequest(request, found, ctx.now))
  if (goods.kind === 'refused') {
    const [{ code, message }] = goods.refusals
    if (code === 'input_not_given') throw new Error('a price for goods whose merchant was not told enough')
    return { kind: 'refused', code, message }
  }
  const held = await reservePromotions(ctx, terms.running, request, goods)
  const price = withDiscount(goods, sumOfDiscounts(held))
  return {
    kind: 'offer',
    offer: offerOf(price, request.items, promotedReference(held)),
    promo: triedCode(request.promoCode, terms.running, held),
  }
}

/** What the merchant must know before it sells, and was not told: asked before anything is priced or held. */
function lackingFields(
  { items, merchantDomain }: NativeOfferRequest,
  found: readonly (ResolvedUrl | null)[],
) {
  return fieldsFor(
    items.map(({ id, inputs }, index) => ({
      itemId: id as Id<'item'>, // an item's own id, widened by the port
      title: found[index]?.item?.title ?? null,
      inputs: missingInputs(found[index]?.item?.required_inputs ?? [], inputs),
    })),
    merchantDomain,
  )
}

function tookTooLong(error: unknown): null {
  // guard heavy-merchant-is-unavailable: a merchant whose data takes too long to read ends its own carts
  if (error instanceof TookTooLong) return null
  throw error
}

async function placeOrder(request: NativePlaceRequest, ctx: ActingContext): Promise<NativePlaceAnswer> {
  const { mode } = ctx.tenant
  const { merchantAccountId, cartId, attempt } = request
  const { name, email, phone, shipTo } = request.buyer
  const merchant = await readMerchant(ctx.tx.ahead, { accountId: merchantAccountId, mode })
  if (!merchant) throw new Error('an order without its merchant')
  // guard same-merchant-at-the-order: a merchant that became another while the money was held gets no order
  if (request.items.some((item) => isSoldByAnother(item.soldBy, merchant)))
    return refused('merchant_changed', null)
  const { subtotal, fulfillment, tax, discount } = request.offer
  // After a restore from a backup the order has the same id again, so that the merchant recognizes it.
  const id = derivedId('ord', cartId, attempt)
  // guard order-by-what-is-held: no order is placed with a discount that is held no longer
  if (!(await orderByPromotions(ctx, request, id))) return refused('price_changed', null)
  const order = createOrderInTx(ctx, {
    id,
    merchant: {
      accountId: merchantAccountId,
      name: merchant.name,
      slug: merchant.slug,
      domain: merchant.domain,
    },
    purchase: { intentId: request.intentId, cartId, attempt },
    buyer: null,
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
    customer: { name, email, phone },
    shippingAddress: shipTo && {
      recipient_name: shipTo.recipientName,
      line1: shipTo.line1,
      line2: shipTo.line2,
      city: shipTo.city,
      state: shipTo.state,
      postal_code: shipTo.postalCode,
      country: shipTo.country,
    },
  })
  return { kind: 'pending', value: { orderRow: id, ...placed(order) } }
}

/** `whole`: the price that was quoted for all units, which need not be a multiple of one unit's price. */
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
    unit_amount: toWire(line.unitAmount),
    amount: toWire(whole ?? lineAmount(line)),
    ...(Object.keys(item.inputs).length === 0 ? {} : { inputs: item.inputs }),
  }
}

async function readNativeOrder(id: string | null, ctx: ActingContext): Promise<NativeOrder> {
  const order = id === null ? null : await readOrder(ctx.tx, ctx.tenant, id)
  // Only a transaction could have made the order, and it has ended without doing so.
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

function placed({ confirmation_reference: orderId, total_amount: owed }: OrderProgress): NativePlaced {
  return { orderId, transactionId: null, owed }
}

function refused(
  code: PlaceRefusal['code'],
  message: string | null,
): { kind: 'refused'; refusal: PlaceRefusal } {
  return { kind: 'refused', refusal: { code, message, declineCode: null } }
}
