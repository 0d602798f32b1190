import type {
  Offer,
  OfferRefusalCode,
  ShopPlaced,
  ShopPlaceRefusalCode,
  ShopPrice,
} from '../channels/browser/shopping-words.ts'

/** Whether a summary that was read again is still what was agreed to: a lower total is. */
export function isStillOffered(agreed: Offer, read: Offer): boolean {
  // guard no-higher-total-by-a-second-reading: an order that is priced anew costs no more than what was agreed to
  // guard the-same-goods-by-a-second-reading: an order that is priced anew buys what was agreed to
  return read.currency === agreed.currency && read.total <= agreed.total && linesOf(read) === linesOf(agreed)
}

function linesOf({ lines }: Offer): string {
  return JSON.stringify(lines.map(({ itemId, quantity }) => [itemId, quantity]).sort())
}

/** An order that ended before its payment, because the shop no longer offers what it did. Not a digit was typed. */
export function refusedBefore(price: Exclude<ShopPrice, { kind: 'offer' }>): ShopPlaced {
  switch (price.kind) {
    case 'refused':
      return refused(placeCodes[price.code], price.message)
    case 'sign_in':
      return refused('merchant_auth_failed', price.message)
    case 'needs_input':
      return refused('merchant_changed', price.message)
    case 'no_room':
      return price
    case 'unavailable':
      return refused('merchant_unavailable', price.why)
    default:
      return price satisfies never
  }
}

export function refused(code: ShopPlaceRefusalCode, message: string | null): ShopPlaced {
  return { kind: 'refused', code, message, isTyped: false }
}

const placeCodes: Readonly<Record<OfferRefusalCode, ShopPlaceRefusalCode>> = {
  product_not_found: 'product_out_of_stock',
  product_out_of_stock: 'product_out_of_stock',
  insufficient_stock: 'product_out_of_stock',
  variant_required: 'merchant_changed',
  unsupported_currency: 'price_changed',
  price_changed: 'price_changed',
  address_undeliverable: 'order_rejected_by_merchant',
  captcha_blocked: 'merchant_unsupported',
  merchant_unsupported: 'merchant_unsupported',
  merchant_changed: 'merchant_changed',
  merchant_unavailable: 'merchant_unavailable',
}
