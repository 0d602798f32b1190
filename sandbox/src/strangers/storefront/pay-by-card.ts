import { readCard } from '../shop/card-fields.ts'
import { keepCart } from '../shop/desk.ts'
import type { Order } from '../shop/memory.ts'
import { openOrder, payOrder } from '../shop/place-order.ts'
import { page, type Reply, redirect } from '../web/site.ts'
import { noticeOf, paymentPage } from './checkout-pages.ts'
import type { Paying } from './storefront.ts'

type How = {
  /** What the card is asked for where it is not the total that was shown. */
  amount?: number
  capture?: Order['capture']
}

/** Charges the card that was typed into the shop's own page. */
export async function payByCard(paying: Paying, how: How = {}): Promise<Reply> {
  const { desk, visit, cart, priced, method } = paying
  const read = readCard(visit.form)
  if (read.kind === 'wrong') return paymentAgain(paying, read.messages)
  const order = await openOrder(desk, { cart, priced, method, ...how })
  const { code } = await payOrder(desk, order, read.card)
  if (code !== null) return paymentAgain(paying, [declineText(code)])
  return redirect(`/order/${order.number}`)
}

/** The page of payment once more, with what was wrong. What was typed into the fields of the card is not repeated. */
export function paymentAgain({ desk, front, cart, priced }: Paying, messages: string[]): Reply {
  return keepCart(desk, cart, page(paymentPage(front, cart, { priced, notice: noticeOf(messages) })))
}

export function declineText(code: string): string {
  return code === 'no_answer'
    ? 'We could not process your payment at this time. Please try again later.'
    : `Your card was declined (${code.replaceAll('_', ' ')}).`
}
