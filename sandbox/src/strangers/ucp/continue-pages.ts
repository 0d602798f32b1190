import type { Cart } from '../shop/cart.ts'
import { keepCart } from '../shop/desk.ts'
import { priceCart } from '../shop/price-cart.ts'
import { noticeOf } from '../storefront/checkout-pages.ts'
import { payByCard } from '../storefront/pay-by-card.ts'
import type { Paying } from '../storefront/storefront.ts'
import { totalsTable } from '../storefront/totals-table.ts'
import { type Fill, html } from '../web/html.ts'
import { shopPage } from '../web/layout.ts'
import { notFound, page, type Reply, redirect, type Visit, type WebRoute } from '../web/site.ts'
import { stateOf } from './checkout-state.ts'
import { completeCheckoutOf, orderAndPay } from './complete-checkout.ts'
import { cartOfSession, deskAt, findSession, keepSession, orderOfSession } from './session.ts'
import { storyOf } from './stories.ts'
import { storefront, type UcpShop } from './ucp-shop.ts'

/** Where a person goes on with a checkout that a platform could not finish. */
export function continueRoutes(shop: UcpShop): WebRoute[] {
  return [
    { method: 'GET', path: '/continue/:id', handle: (visit) => goOn(shop, visit) },
    { method: 'POST', path: '/continue/:id/confirm', handle: (visit) => confirm(shop, visit) },
    { method: 'POST', path: '/continue/:id/reviewed', handle: (visit) => reviewed(shop, visit) },
  ]
}

/** With the cart of the checkout, to the first page that is missing. */
function goOn(shop: UcpShop, visit: Visit): Reply {
  const session = findSession(shop.desk, visit.params.id ?? '')
  if (session === undefined || stateOf(shop, session).status === 'canceled') return notFound()
  if (session.stage === 'challenged') return page(bankPage(session.id))
  const cart = cartOfSession(shop.desk, session)
  const { atPage } = storyOf(cart.lines)
  if (atPage === 'review' && cart.orderId === null)
    return keepCart(shop.desk, cart, page(reviewPage(cart, null)))
  // Whoever has filled it in once is not asked again.
  const isForgotten = atPage === 'forgets' && cart.notes.asked === undefined && cart.orderId === null
  const kept = isForgotten
    ? { ...cart, email: null, address: null, delivery: null, notes: { ...cart.notes, asked: 'once' } }
    : cart
  return keepCart(shop.desk, kept, redirect('/checkout/payment'))
}

/** The buyer has looked it over, and says so. */
function reviewed(shop: UcpShop, visit: Visit): Reply {
  const session = findSession(shop.desk, visit.params.id ?? '')
  if (session === undefined || stateOf(shop, session).status === 'canceled') return notFound()
  const cart = cartOfSession(shop.desk, session)
  if (visit.form.has('reviewed')) return keepCart(shop.desk, cart, redirect('/checkout/payment'))
  const notice = noticeOf(['Please confirm that you have looked at your order.'])
  return keepCart(shop.desk, cart, page(reviewPage(cart, notice)))
}

/** The bank is content: what was sent with the checkout is charged. */
async function confirm(shop: UcpShop, visit: Visit): Promise<Reply> {
  const session = findSession(shop.desk, visit.params.id ?? '')
  const means = shop.waiting.get(session?.id ?? '')
  if (session?.stage !== 'challenged' || means === undefined) return notFound()
  shop.waiting.delete(session.id)
  const open = { ...session, stage: 'open' } as const
  keepSession(shop.desk, open)
  await orderAndPay(shop, open, means)
  const order = orderOfSession(shop.desk, open)
  const reply = redirect(order === undefined ? '/checkout/payment' : `/order/${order.number}`)
  return keepCart(shop.desk, cartOfSession(shop.desk, open), reply)
}

/** A cart of a platform that is paid by a card in the browser completes the checkout that it is. */
export async function payInBrowser(shop: UcpShop, paying: Paying): Promise<Reply> {
  const session = findSession(shop.desk, paying.cart.id)
  if (session === undefined) return payByCard(paying)
  const reply = await payByCard({ ...paying, desk: deskAt(paying.desk, session) })
  completeCheckoutOf(shop, session.id)
  return reply
}

function reviewPage(cart: Cart, notice: Fill) {
  const body = html`<h1>Review your order</h1>${notice}
<section class="panel"><p>An assistant has prepared this order for you.</p>${totalsTable(storefront, priceCart(storefront, cart))}</section>
<form class="panel" method="post" action="/continue/${cart.id}/reviewed">
<label class="choice"><input type="checkbox" name="reviewed" value="1" required> I have looked at my order</label>
<button type="submit">Continue to payment</button></form>`
  return shopPage({ look: storefront.look, title: 'Review', body })
}

function bankPage(id: string) {
  const body = html`<h1>Your bank wants to be sure</h1>
<form method="post" action="/continue/${id}/confirm"><p>Confirm the payment for your order.</p>
<button type="submit">Confirm payment</button></form>`
  return shopPage({ look: storefront.look, title: 'Confirm', body })
}
