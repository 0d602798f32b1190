import { moneyText } from '../shop/money-text.ts'
import type { Priced } from '../shop/price-cart.ts'
import { type Html, html } from '../web/html.ts'
import type { Storefront } from './storefront.ts'

/** What is ordered and what it costs, as the side of a checkout shows it. */
export function totalsTable(front: Storefront, priced: Priced): Html {
  const money = (amount: number) => moneyText(amount, priced.currency, front.locale)
  const row = (name: string, text: string, kind = '') =>
    html`<tr class="${kind}"><th>${name}</th><td class="amount">${text}</td></tr>`
  return html`<table class="shop_table order-review"><tbody>${priced.lines.map(
    ({ sku, name, quantity, amount }) =>
      html`<tr class="cart_item" data-sku="${sku}"><td class="product-name">${name} <strong class="product-quantity">× ${quantity}</strong></td><td class="amount">${money(amount)}</td></tr>`,
  )}</tbody><tfoot>
${row('Subtotal', money(priced.subtotal), 'cart-subtotal')}
${priced.discount > 0 && row('Discount', `−${money(priced.discount)}`, 'cart-discount')}
${priced.fee !== null && row(priced.fee.name, money(priced.fee.amount), 'fee')}
${row('Shipping', priced.delivery === null ? 'Calculated at checkout' : priced.delivery === 0 ? 'Free' : money(priced.delivery), 'shipping')}
${row('Tax', priced.tax === null ? 'Calculated at checkout' : money(priced.tax), 'tax')}
${row('Total', money(priced.total), 'order-total total')}
</tfoot></table>`
}
