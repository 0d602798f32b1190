import { addressFields } from '../shop/address.ts'
import { cardFields } from '../shop/card-fields.ts'
import type { Cart } from '../shop/cart.ts'
import type { Order } from '../shop/memory.ts'
import { moneyText } from '../shop/money-text.ts'
import type { Priced } from '../shop/price-cart.ts'
import { type Fill, type Html, html } from '../web/html.ts'
import { shopPage } from '../web/layout.ts'
import { navigation } from './catalog-pages.ts'
import { methodsOf, type PaymentPart, type Storefront } from './storefront.ts'
import { totalsTable } from './totals-table.ts'

export function cartPage(front: Storefront, priced: Priced, notice: Fill): Html {
  const money = (amount: number) => moneyText(amount, priced.currency, front.locale)
  const body =
    priced.lines.length === 0
      ? html`<p class="cart-empty">Your cart is currently empty.</p><a class="button" href="/">Return to shop</a>`
      : html`<div class="columns"><form class="panel" method="post" action="/cart"><table class="cart"><thead><tr><th>Product</th><th>Price</th><th>Quantity</th><th class="amount">Subtotal</th><th></th></tr></thead><tbody>${priced.lines.map(
          ({ sku, name, unit, quantity, amount }) =>
            html`<tr class="cart_item"><td>${name}</td><td>${money(unit)}</td><td><input class="qty" type="number" name="quantity_${sku}" aria-label="Quantity of ${name}" value="${quantity}" min="0"></td><td class="amount">${money(amount)}</td><td><button class="plain" name="remove" value="${sku}" aria-label="Remove ${name} from cart">×</button></td></tr>`,
        )}</tbody></table>
<label for="coupon_code">Coupon code</label><input id="coupon_code" name="coupon_code" autocomplete="off">
<button name="apply_coupon" value="1">Apply coupon</button> <button name="update_cart" value="1">Update cart</button></form>
<aside class="panel"><h2>Cart totals</h2>${totalsTable(front, priced)}<a class="button checkout-button" href="/checkout">Proceed to checkout</a></aside></div>`
  return shopPage({
    look: front.look,
    title: 'Cart',
    nav: navigation(),
    body: html`<h1>Cart</h1>${notice}${body}`,
  })
}

/** Customer or guest. */
export function welcomePage(front: Storefront, priced: Priced, notice: Fill): Html {
  return checkoutPage(front, {
    title: 'Checkout',
    priced,
    notice,
    body: html`<section class="panel"><h2>New customer</h2><p>You can check out without creating an account.</p><a class="button" href="/checkout/address">Continue as guest</a></section>
<section class="panel"><h2>Returning customer</h2><form method="post" action="/login"><label for="username">Email address</label><input id="username" name="username" type="email" autocomplete="username"><label for="password">Password</label><input id="password" name="password" type="password" autocomplete="current-password"><button>Log in</button></form></section>`,
  })
}

export function addressPage(front: Storefront, typed: URLSearchParams, shown: Shown & { cart: Cart }): Html {
  const fields = front.address?.fields(typed, shown.cart) ?? addressFields(typed)
  return checkoutPage(front, {
    ...shown,
    title: 'Billing and shipping',
    body: html`<form class="panel checkout" method="post" action="/checkout/address"><h2>Contact and shipping address</h2>${fields}
<label class="choice"><input type="checkbox" name="newsletter" value="1"> Send me news and offers (optional)</label>
<button>Continue to shipping</button></form>`,
  })
}

export function deliveryPage(front: Storefront, cart: Cart, shown: Shown): Html {
  return checkoutPage(front, {
    ...shown,
    title: 'Shipping method',
    body: html`<form class="panel checkout" method="post" action="/checkout/delivery"><fieldset><legend>Shipping method</legend>${front.deliveries.map(
      ({ id, name, promise, price }) =>
        html`<label class="choice"><input type="radio" name="shipping_method" value="${id}" required${cart.delivery === id && html` checked`}> ${name} (${promise}) – ${price === 0 ? 'Free' : moneyText(price, shown.priced.currency, front.locale)}</label>`,
    )}</fieldset><button>Continue to payment</button></form>`,
  })
}

export function paymentPage(front: Storefront, cart: Cart, shown: Shown): Html {
  const own: PaymentPart = front.payment?.(cart, shown.priced) ?? { fields: cardFields() }
  const { address } = cart
  const chosen = cart.method ?? methodsOf(front, cart)[0]?.id
  return checkoutPage(front, {
    ...shown,
    title: 'Payment',
    head: own.head,
    body: html`${!front.hidesAddress?.(cart) && html`<section class="panel"><h2>Ship to</h2><address>${address?.name}<br>${address?.line1}<br>${address?.postalCode} ${address?.city}<br>${address?.country}<br>${cart.email}</address></section>`}
<form class="panel checkout" id="payment-form" method="post" action="${own.action ?? '/checkout/payment'}"><h2>Payment</h2>
<input type="hidden" name="cart" value="${cart.id}">
<fieldset><legend>Payment method</legend>${methodsOf(front, cart).map(
      ({ id, name, note }) =>
        html`<label class="choice"><input type="radio" name="payment_method" value="${id}"${chosen === id && html` checked`}> ${name}${note !== undefined && html` <small>${note}</small>`}</label>`,
    )}</fieldset>
<div class="payment_box">${own.fields}</div>
<p class="grand-total">Total: <strong>${moneyText(shown.priced.total, shown.priced.currency, front.locale)}</strong></p>
<button type="submit" id="place_order" name="place_order" value="1">${own.button ?? 'Place order'}</button></form>`,
  })
}

export function confirmationPage(front: Storefront, order: Order): Html {
  return shopPage({
    look: front.look,
    title: 'Order received',
    nav: navigation(),
    body: html`<h1>Order received</h1><p class="notice good">Thank you. Your order has been received.</p>
<section class="panel"><ul class="order_details"><li>Order number: <strong>${order.number}</strong></li><li>Date: <strong>${order.at.slice(0, 10)}</strong></li><li>Email: <strong>${order.email}</strong></li><li>Total: <strong>${moneyText(order.priced.total, order.priced.currency, front.locale)}</strong></li></ul>${totalsTable(front, order.priced)}</section>`,
  })
}

export function processingPage(front: Storefront): Html {
  return shopPage({
    look: front.look,
    title: 'Processing',
    head: html`<meta http-equiv="refresh" content="1">`,
    body: html`<h1>Your order is being processed</h1><p>Please do not close this page.</p>`,
  })
}

export function noticeOf(messages: readonly string[]): Fill {
  return (
    messages.length > 0 &&
    html`<ul class="notice" role="alert">${messages.map((one) => html`<li>${one}</li>`)}</ul>`
  )
}

type Shown = { priced: Priced; notice: Fill }

function checkoutPage(front: Storefront, shown: Shown & { title: string; head?: Fill; body: Html }): Html {
  return shopPage({
    look: front.look,
    title: shown.title,
    head: shown.head,
    body: html`<h1>${shown.title}</h1>${shown.notice}<div class="columns"><div>${shown.body}</div><aside class="panel"><h2>Your order</h2>${totalsTable(front, shown.priced)}</aside></div>`,
  })
}
