import { cardFields } from '../shop/card-fields.ts'
import type { Cart } from '../shop/cart.ts'
import type { Desk } from '../shop/desk.ts'
import { keepCart } from '../shop/desk.ts'
import type { Product } from '../shop/goods.ts'
import { moneyText } from '../shop/money-text.ts'
import { type Priced, totalOf } from '../shop/price-cart.ts'
import { payByCard, paymentAgain } from '../storefront/pay-by-card.ts'
import type { Paying, Stage, Storefront } from '../storefront/storefront.ts'
import { storefrontRoutes } from '../storefront/storefront-routes.ts'
import { usualTerms } from '../storefront/usual-terms.ts'
import { type Fill, html, written } from '../web/html.ts'
import { type OpenedShop, type Reply, redirect } from '../web/site.ts'

type Goods = Omit<Priced, 'delivery' | 'tax' | 'total'>

type Change = {
  description: string
  /** From which step on. */
  from: readonly Stage[]
  change: (priced: Priced, cart: Cart) => Priced
}

const atTheEnd: readonly Stage[] = ['payment', 'final']
const afterThePage: readonly Stage[] = ['cart', 'address', 'delivery', ...atTheEnd]

/** What changes, by the product that is bought. */
const changes: Readonly<Record<string, Change>> = {
  'price-in-cart': {
    description: 'Costs more in the cart than on its page.',
    from: afterThePage,
    change: (priced, cart) => unitsUp(priced, cart, 400),
  },
  'fee-at-payment': {
    description: 'Gets a handling fee on the page of payment.',
    from: atTheEnd,
    change: (priced, cart) => again(cart, { ...priced, fee: { name: 'Handling fee', amount: 300 } }),
  },
  'tax-at-payment': {
    description: 'Is taxed twice as high on the page of payment.',
    from: atTheEnd,
    change: (priced) => ({ ...priced, tax: (priced.tax ?? 0) * 2, total: priced.total + (priced.tax ?? 0) }),
  },
  'currency-at-payment': {
    description: 'Costs as many euros as it cost dollars.',
    from: atTheEnd,
    change: (priced) => ({ ...priced, currency: 'EUR' }),
  },
  'cheaper-at-payment': {
    description: 'Gets cheaper on the page of payment.',
    from: atTheEnd,
    change: (priced, cart) => unitsUp(priced, cart, -200),
  },
  'quantity-at-payment': {
    description: 'Is there twice on the page of payment.',
    from: atTheEnd,
    change: (priced, cart) => withLines(priced, cart, (line) => ({ ...line, quantity: line.quantity * 2 })),
  },
  'swapped-at-payment': {
    description: 'Becomes something else of the same price.',
    from: atTheEnd,
    change: (priced, cart) =>
      withLines(priced, cart, (line) => ({ ...line, sku: 'refurbished', name: 'Refurbished item' })),
  },
  'price-while-typing': {
    description: 'Gets dearer while the card is typed, and the page shows it.',
    from: ['final'],
    change: (priced, cart) => unitsUp(priced, cart, 500),
  },
  'price-at-button': {
    description: 'Gets dearer when the order is placed, and asks once more.',
    from: [],
    change: (priced, cart) => unitsUp(priced, cart, 350),
  },
  'sold-out-at-button': {
    description: 'Is sold out when the order is placed.',
    from: [],
    change: (priced) => priced,
  },
}

const products: readonly Product[] = [
  { handle: 'steady', name: 'Steady Lamp', description: 'Costs the same everywhere.', price: 2000 },
  ...Object.entries(changes).map(([handle, { description }]) => ({
    handle,
    name: `Lamp ${handle.replaceAll('-', ' ')}`,
    description,
    price: 2000,
  })),
]

const drift: Storefront = {
  ...usualTerms,
  look: { title: 'Moving Target', tagline: 'Prices that never rest', lang: 'en', accent: '#4a3f8f' },
  products,
  reprice: (priced, stage, cart) => {
    const change = changeOf(cart)
    return change?.from.includes(stage) || cart.notes.isRepriced === 'yes'
      ? (change?.change(priced, cart) ?? priced)
      : priced
  },
  payment: (cart, priced) => ({ fields: html`${cardFields()}${dearerWhileTyping(cart, priced)}` }),
  pay: payWithChanges,
}

/** A price, a fee, a tax or a currency that is another one a step later. */
export function openShop(desk: Desk): OpenedShop {
  return { sites: { [desk.host]: storefrontRoutes(desk, drift) } }
}

function changeOf({ lines }: Cart): Change | undefined {
  return lines.map(({ sku }) => changes[sku]).find((change) => change !== undefined)
}

function has({ lines }: Cart, handle: string): boolean {
  return lines.some(({ sku }) => sku === handle)
}

async function payWithChanges(paying: Paying): Promise<Reply> {
  const { desk, cart, priced } = paying
  if (has(cart, 'sold-out-at-button'))
    return keepCart(desk, { ...cart, lines: [] }, redirect('/cart'), 'sold out')
  if (has(cart, 'price-at-button') && cart.notes.isRepriced === undefined) {
    const repriced = { ...cart, notes: { ...cart.notes, isRepriced: 'yes' } }
    const dearer = changeOf(cart)?.change(priced, cart) ?? priced
    return paymentAgain({ ...paying, cart: repriced, priced: dearer }, [
      'Prices in your order have changed. Please review the new total and place your order again.',
    ])
  }
  return payByCard(paying)
}

/** The total on the page follows what the shop will charge. */
function dearerWhileTyping(cart: Cart, priced: Priced): Fill {
  if (!has(cart, 'price-while-typing')) return null
  const dearer = changes['price-while-typing']?.change(priced, cart) ?? priced
  const shown = moneyText(dearer.total, dearer.currency, drift.locale)
  return html`<template id="new-total">${shown}</template>${written(`<script>
document.getElementById('card_cvc').addEventListener('input', () => {
  const total = document.getElementById('new-total').innerHTML
  document.querySelector('.order-total td').textContent = total
  document.querySelector('.grand-total strong').textContent = total
})</script>`)}`
}

function unitsUp(priced: Priced, cart: Cart, by: number): Priced {
  return withLines(priced, cart, (line) => ({ ...line, unit: line.unit + by }))
}

function withLines(
  priced: Priced,
  cart: Cart,
  change: (line: Priced['lines'][number]) => Priced['lines'][number],
): Priced {
  const lines = priced.lines.map((line) => {
    const changed = change(line)
    return { ...changed, amount: changed.unit * changed.quantity }
  })
  return again(cart, { ...priced, lines, subtotal: lines.reduce((sum, { amount }) => sum + amount, 0) })
}

function again(cart: Cart, { currency, lines, subtotal, discount, fee }: Goods): Priced {
  return totalOf(drift, cart, { currency, lines, subtotal, discount, fee })
}
