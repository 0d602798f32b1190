import { readAddress } from '../shop/address.ts'
import { cardFields } from '../shop/card-fields.ts'
import type { Cart } from '../shop/cart.ts'
import { cartOf, type Desk, keepCart } from '../shop/desk.ts'
import { priceCart } from '../shop/price-cart.ts'
import type { Storefront } from '../storefront/storefront.ts'
import { totalsTable } from '../storefront/totals-table.ts'
import { html } from '../web/html.ts'
import { data, type Reply, type Visit, type WebRoute } from '../web/site.ts'

/** What the scripts of a checkout on one page ask the shop: to keep a step, and for the last one. */
export function onePageRoutes(desk: Desk, front: Storefront): WebRoute[] {
  const keep = (step: string, take: (cart: Cart, form: URLSearchParams) => Cart | string[]): WebRoute => ({
    method: 'POST',
    path: `/steps/${step}`,
    handle(visit) {
      const taken = take(cartOf(desk, visit), visit.form)
      return Array.isArray(taken) ? data({ errors: taken }) : keepCart(desk, taken, data({ errors: [] }))
    },
  })
  return [
    keep('account', (cart, form) => (form.get('account') === 'guest' ? cart : ['We take no new customers.'])),
    keep('address', (cart, form) => {
      const read = readAddress(form)
      if (read.kind === 'wrong') return read.messages
      return { ...cart, email: read.email, address: read.address }
    }),
    keep('delivery', (cart, form) => {
      const chosen = front.deliveries.find(({ id }) => id === form.get('shipping_method'))
      return chosen === undefined ? ['Shipping method required!'] : { ...cart, delivery: chosen.id }
    }),
    keep('payment', (cart, form) =>
      form.get('payment_method') === 'card' ? { ...cart, method: 'card' } : ['Payment method required!'],
    ),
    { method: 'GET', path: '/steps/confirm', handle: (visit) => confirmStep(desk, front, visit) },
  ]
}

/** What all of it costs, and the card; nothing before everything was chosen. */
function confirmStep(desk: Desk, front: Storefront, visit: Visit): Reply {
  const cart = cartOf(desk, visit)
  const priced = priceCart(front, cart)
  const form = html`<form method="post" action="/checkout/payment"><h3>Card details</h3>${cardFields()}<button>Confirm order</button></form>`
  const isReady = cart.address !== null && cart.delivery !== null && cart.method !== null
  return data({ html: html`${totalsTable(front, priced)}${isReady && form}`.text })
}
