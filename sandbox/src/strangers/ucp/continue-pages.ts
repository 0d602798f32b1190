import { keepCart } from '../shop/desk.ts'
import { payByCard } from '../storefront/pay-by-card.ts'
import type { Paying } from '../storefront/storefront.ts'
import { html } from '../web/html.ts'
import { shopPage } from '../web/layout.ts'
import { notFound, page, type Reply, redirect, type Visit, type WebRoute } from '../web/site.ts'
import { stateOf } from './checkout-state.ts'
import { completeCheckoutOf, orderAndPay } from './complete-checkout.ts'
import { cartOfSession, deskAt, findSession, keepSession, orderOfSession } from './session.ts'
import { storefront, type UcpShop } from './ucp-shop.ts'

/** Where a person goes on with a checkout that a platform could not finish. */
export function continueRoutes(shop: UcpShop): WebRoute[] {
  return [
    { method: 'GET', path: '/continue/:id', handle: (visit) => goOn(shop, visit) },
    { method: 'POST', path: '/continue/:id/confirm', handle: (visit) => confirm(shop, visit) },
  ]
}

/** With the cart of the checkout, to the first page that is missing. */
function goOn(shop: UcpShop, visit: Visit): Reply {
  const session = findSession(shop.desk, visit.params.id ?? '')
  if (session === undefined || stateOf(shop, session).status === 'canceled') return notFound()
  if (session.stage === 'challenged') return page(bankPage(session.id))
  const cart = cartOfSession(shop.desk, session)
  return keepCart(shop.desk, cart, redirect('/checkout/payment'))
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

function bankPage(id: string) {
  const body = html`<h1>Your bank wants to be sure</h1>
<form method="post" action="/continue/${id}/confirm"><p>Confirm the payment for your order.</p>
<button type="submit">Confirm payment</button></form>`
  return shopPage({ look: storefront.look, title: 'Confirm', body })
}
