import { cardFields, readCard } from '../shop/card-fields.ts'
import type { Cart } from '../shop/cart.ts'
import { findProduct } from '../shop/goods.ts'
import { moneyText } from '../shop/money-text.ts'
import type { Priced } from '../shop/price-cart.ts'
import { noticeOf } from '../storefront/checkout-pages.ts'
import type { Storefront } from '../storefront/storefront.ts'
import { type Fill, type Html, html, written } from '../web/html.ts'
import { shopPage } from '../web/layout.ts'
import type { Visit } from '../web/site.ts'

/** Every page has a link to the checkout, the checkout too. */
export function habitPage(front: Storefront, title: string, body: Fill): Html {
  return shopPage({
    look: front.look,
    title,
    nav: html`<a href="/">Home</a><a href="/cart">Basket</a><a href="/checkout">Checkout</a>`,
    body: html`<h1>${title}</h1>${body}`,
  })
}

/** Customer, new customer or guest: one form for all three. */
export function gatewayPage(front: Storefront, message: string | null): Html {
  return habitPage(
    front,
    'Checkout',
    html`${noticeOf(message === null ? [] : [message])}<form class="panel" method="post" action="/checkout/gateway">
<label for="username">My email address is:</label><input id="username" name="username" type="email" required>
<label class="choice"><input type="radio" name="options" value="anonymous"> I am a new customer and want to checkout as a guest</label>
<label class="choice"><input type="radio" name="options" value="new"> I am a new customer and want to create an account before checking out</label>
<label class="choice"><input type="radio" name="options" value="existing" checked> I am a returning customer, and my password is:</label>
<input type="password" name="password" aria-label="Password"><button>Continue</button></form>`,
  )
}

/** A button for each way of delivery. */
export function rowsPage(front: Storefront): Html {
  return habitPage(
    front,
    'Shipping method',
    html`<table><tbody>${front.deliveries.map(
      ({ id, name, promise, price }) =>
        html`<tr><td><strong>${name}</strong><br>${promise}</td><td>${moneyText(price, front.currency, front.locale)}</td><td><form method="post" action="/checkout/delivery"><input type="hidden" name="shipping_method" value="${id}"><button>Select option</button></form></td></tr>`,
    )}</tbody></table>`,
  )
}

/** Nothing is seen of the radios; each label is a card, further down in which something else is pressed. */
export function drawnPage(front: Storefront): Html {
  return habitPage(
    front,
    'Shipping method',
    html`<form class="panel" method="post" action="/checkout/delivery">${front.deliveries.map(
      ({ id, name, promise, price }) =>
        html`<label class="choice panel" style="display:block"><input type="radio" name="shipping_method" value="${id}" style="display:none"><strong>${name}</strong><br>${promise} ${moneyText(price, front.currency, front.locale)}<textarea aria-label="Note to the carrier" style="width:90%;height:12em"></textarea></label>`,
    )}<button>Continue</button></form>`,
  )
}

/** The card alone: what all of it costs stands on the page after it. */
export function cardPage(front: Storefront, messages: readonly string[] | null): Html {
  return habitPage(
    front,
    'Payment',
    html`${noticeOf(messages ?? [])}<form class="panel" method="post" action="/checkout/review"><h2>Bankcard</h2>${cardFields()}<button>Continue</button></form>`,
  )
}

/** The last page is called as if all were done. It repeats the card where nobody sees it, as the first one sent it. */
export function readReview(
  front: Storefront,
  { visit, cart, priced }: { visit: Visit; cart: Cart; priced: Priced },
): Html {
  const read = readCard(visit.form)
  if (read.kind === 'wrong') return cardPage(front, read.messages)
  const money = (amount: number) => moneyText(amount, priced.currency, front.locale)
  const delivery = front.deliveries.find(({ id }) => id === cart.delivery)
  const row = (name: string, amount: number) => html`<tr><th>${name}</th><td>${money(amount)}</td></tr>`
  const { address } = cart
  return habitPage(
    front,
    'Order confirmation',
    html`<section class="panel"><h2>Shipping address</h2><address>${address?.name}<br>${address?.line1}<br>${address?.city}<br>${address?.postalCode}<br>${address?.country}</address></section>
<section class="panel"><h2>Basket</h2>${priced.lines.map(({ name, quantity, amount }) => html`<p>${quantity} × ${name}</p><p>${money(amount)}</p>`)}</section>
<table><tbody>${row('Basket total', priced.subtotal)}${priced.fee !== null && row(priced.fee.name, priced.fee.amount)}${row(delivery?.name ?? '', priced.delivery ?? 0)}${row('Tax', priced.tax ?? 0)}${row('Order total', priced.total)}</tbody></table>
<form method="post" action="/checkout/payment">${['card_number', 'card_expiry', 'card_cvc'].map((name) => html`<input type="hidden" name="${name}" value="${visit.form.get(name)}">`)}<button>${cart.lines[0]?.sku === 'card-first-one-way' ? 'Off it goes' : 'Confirm this'}</button></form>`,
  )
}

/** A product that is sold by its kinds, each at a page of its own. A link is called by its kind, or as all of them. */
export function kindsPage(front: Storefront, product: string): Html {
  const kinds = front.products.filter(({ handle }) => handle.startsWith(`${product}-`))
  const [title = ''] = kinds[0]?.name.split(', ') ?? []
  return habitPage(
    front,
    title,
    html`<p class="price">From ${moneyText(2000, front.currency, front.locale)}</p><p>Choose a size:</p>
<ul>${kinds.map(({ handle, name }) => html`<li><a href="/product/${handle}">${name.split(', ')[1] ?? name}</a></li>`)}</ul>`,
  )
}

/** A script adds to the cart, and says so with the name of the product. */
export function stayingPage(front: Storefront, handle: string): Html {
  const product = findProduct(front.products, handle)
  return habitPage(
    front,
    product?.name ?? '',
    html`<p class="price">${moneyText(product?.price ?? 0, front.currency, front.locale)}</p><p id="said" role="status"></p>
<form class="cart"><input type="hidden" name="product" value="${handle}"><label for="quantity">Quantity</label><input class="qty" type="number" id="quantity" name="quantity" value="1" min="1"><button>Add to cart</button></form>
<form class="panel" action="/reviews"><h2>Write a review</h2><label for="who">Your name *</label><input id="who" name="name"><label for="mail">Email address *</label><input id="mail" name="email" type="email"><label for="review">Your review *</label><textarea id="review" name="review"></textarea><button>Submit</button></form>
${written(`<script>{
  const form = document.querySelector('form.cart')
  // Who writes reviews does not buy here.
  document.querySelector('[action="/reviews"]').addEventListener('input', () => document.querySelector('nav').remove())
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    await fetch('/cart/add', { method: 'POST', body: new URLSearchParams(new FormData(form)) })
    said.textContent = '“' + document.querySelector('h1').textContent + '” has been added to your cart.'
  })
}</script>`)}`,
  )
}
