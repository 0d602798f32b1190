import type { Cart } from '../shop/cart.ts'
import { type Desk, keepCart } from '../shop/desk.ts'
import { findItem } from '../shop/goods.ts'
import { type Priced, priceCart } from '../shop/price-cart.ts'
import { page, type Reply, redirect, type Visit } from '../web/site.ts'
import { cartPage, noticeOf } from './checkout-pages.ts'
import { priceAt, type Storefront } from './storefront.ts'

/** Quantities, an item that goes, or a coupon. */
export function changeCart(
  desk: Desk,
  front: Storefront,
  { visit, cart, priced }: { visit: Visit; cart: Cart; priced: Priced },
): Reply {
  if (visit.form.has('apply_coupon')) return applyCoupon(desk, front, visit, cart)
  const lines = cart.lines.flatMap(({ sku, quantity }) => {
    const wanted = Number(visit.form.get(`quantity_${sku}`) ?? quantity)
    const isKept = visit.form.get('remove') !== sku && wanted > 0 && Number.isSafeInteger(wanted)
    return isKept ? [{ sku, quantity: wanted }] : []
  })
  const messages = lines.flatMap(({ sku, quantity }) => {
    const item = findItem(front.products, sku)
    if (item === undefined) return []
    if (quantity > item.stock) return [`Sorry, we have only ${item.stock} of “${item.name}” in stock.`]
    return quantity < item.minimum ? [`The minimum quantity for “${item.name}” is ${item.minimum}.`] : []
  })
  if (messages.length > 0) return page(cartPage(front, priced, noticeOf(messages)))
  return keepCart(desk, { ...cart, lines }, redirect('/cart'), 'changed')
}

function applyCoupon(desk: Desk, front: Storefront, visit: Visit, cart: Cart): Reply {
  const code = (visit.form.get('coupon_code') ?? '').trim().toUpperCase()
  const isGood = front.promo !== null && code === front.promo.code
  const changed = isGood ? { ...cart, promo: code } : cart
  const notice = noticeOf([
    isGood ? 'Coupon code applied successfully.' : `Coupon “${code}” does not exist or has expired.`,
  ])
  const priced = priceAt(front, 'cart', changed, priceCart(front, changed))
  return keepCart(desk, changed, page(cartPage(front, priced, notice)))
}
