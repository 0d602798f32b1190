import type { PurchaseIntent } from '../../domain/buying/intents/intent.ts'
import type { Order } from '../../domain/trade/orders/order.ts'
import { money, styled } from '../terminal.ts'
import type { ProductApi } from './product-api.ts'
import { row } from './say-terms.ts'

type Cart = PurchaseIntent['carts'][number]

/** One event on one line, in the color of what it means. */
export function eventLine({ type, cart_id }: { type: string; cart_id?: string | null }, at: string): string {
  const color = type.endsWith('failed') ? 'red' : type.endsWith('succeeded') ? 'green' : 'cyan'
  return `${styled('dim', at.padStart(8))}  ${styled(color, type)}${cart_id ? styled('dim', `  ${cart_id}`) : ''}`
}

type Charged = {
  actual_amount: number
  max_allowed_amount: number
  currency: string
  order_id: string | null
}

/** What was charged of what could have been, and for which order. */
export function chargedLine({ actual_amount, max_allowed_amount, currency, order_id }: Charged): string {
  return `  charged ${styled('green', money(actual_amount, currency))} of at most ${money(max_allowed_amount, currency)}, order ${order_id ?? 'unknown'}`
}

/** One shop's part of a purchase: what, for how much, and what became of it. */
export function cartLines(cart: Cart, order: Order | null): string[] {
  const { id, merchant, merchant_domain, status, items, offer, currency_code: currency } = cart
  const name = merchant === merchant_domain ? merchant_domain : `${merchant} (${merchant_domain})`
  return [
    `${styled('bold', name)}, ${status}, by ${cart.channel}${styled('dim', `  ${id}`)}`,
    ...items.map(({ title, url, quantity, unit_amount }) =>
      row(
        'item',
        `${quantity} × ${title ?? url}${unit_amount === null ? '' : `, ${money(unit_amount, currency)} each`}`,
      ),
    ),
    ...(offer ? [row('total', totalWords(offer, currency))] : []),
    ...(cart.actual_amount > 0 ? [row('charged', styled('green', money(cart.actual_amount, currency)))] : []),
    ...refundRows(cart, order),
    ...(cart.order_id === null ? [] : [row('order', orderWords(cart))]),
    ...(cart.failure_reason ? failureRows(cart.failure_reason) : []),
  ]
}

function totalWords(offer: NonNullable<Cart['offer']>, currency: string): string {
  const parts = [
    `goods ${money(offer.subtotal, currency)}`,
    `delivery ${money(offer.fulfillment, currency)}`,
    `tax ${money(offer.tax, currency)}`,
    ...(offer.discount > 0 ? [`discount ${money(-offer.discount, currency)}`] : []),
  ]
  return `${money(offer.total, currency)} (${parts.join(', ')})`
}

/** What a merchant of ours has given back is in its order, and what one elsewhere has is in the cart. */
function refundRows({ refunded_amount = 0, currency_code }: Cart, order: Order | null): string[] {
  const refunds = order?.refunds ?? []
  if (refunds.length > 0)
    return refunds.map(({ amount, status, reason }) =>
      row('refund', `${money(amount, currency_code)}, ${status}${reason === null ? '' : `: ${reason}`}`),
    )
  return refunded_amount > 0 ? [row('refund', money(refunded_amount, currency_code))] : []
}

function orderWords({ order_id, order, order_url }: Cart): string {
  return [order_id, order, order_url].filter((part) => part !== null).join(', ')
}

function failureRows({ code, message, merchant_message }: NonNullable<Cart['failure_reason']>): string[] {
  return [
    row('failed', styled('red', `${message} (${code})`)),
    ...(merchant_message ? [row('shop says', merchant_message)] : []),
  ]
}

/** Where a paid request was bought: the command that shows what it answered. */
export function resultHint(api: ProductApi, { id, carts }: PurchaseIntent): string[] {
  const paid = carts.filter(({ channel, status }) => channel === 'mpp' && status === 'succeeded')
  return paid.map((cart) => {
    const which = paid.length === 1 ? id : `${id} ${cart.id}`
    return `What ${cart.merchant_domain} answered: ${api.command(`purchases result ${which}`)}`
  })
}
