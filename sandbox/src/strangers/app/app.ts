import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readAddress } from '../shop/address.ts'
import type { Cart } from '../shop/cart.ts'
import { cartOf, type Desk, keepCart, withItem } from '../shop/desk.ts'
import { findItem, findProduct, itemsOf, type Product } from '../shop/goods.ts'
import { moneyText, plainAmount } from '../shop/money-text.ts'
import { openOrder, payOrder } from '../shop/place-order.ts'
import { type Priced, priceCart, type Tariff } from '../shop/price-cart.ts'
import { html, written } from '../web/html.ts'
import { drawing } from '../web/layout.ts'
import {
  data,
  notFound,
  type OpenedShop,
  page,
  type Reply,
  text,
  type Visit,
  type WebRoute,
} from '../web/site.ts'
import { cardFrameRoutes, frameHost, openTokens, type Tokens } from './card-frame.ts'

const products: readonly Product[] = [
  {
    handle: 'runner',
    name: 'Trail Runner',
    description: 'A light shoe for wet ground.',
    price: 11900,
    options: { Size: ['40', '41', '42', '43'] },
    variants: [
      { sku: 'runner-40', choice: { Size: '40' }, price: 11900, stock: 8 },
      { sku: 'runner-41', choice: { Size: '41' }, price: 11900, stock: 8 },
      { sku: 'runner-42', choice: { Size: '42' }, price: 12400, stock: 8 },
      { sku: 'runner-43', choice: { Size: '43' }, price: 12400, stock: 0 },
    ],
  },
  { handle: 'socks', name: 'Merino Socks', description: 'Two pairs, gray.', price: 2400 },
]

const tariff: Tariff = {
  products,
  currency: 'USD',
  deliveries: [
    { id: 'ground', name: 'Ground', promise: '3–5 days', price: 0 },
    { id: 'air', name: 'Air', promise: 'tomorrow', price: 1900 },
  ],
  taxPercent: 6,
  isTaxIncluded: false,
  promo: null,
}

const accent = '#143d59'
const clientScript = readFileSync(join(import.meta.dirname, 'app-client.js'), 'utf8')
const clientStyle = readFileSync(join(import.meta.dirname, 'app-client.css'), 'utf8')

/** Rendered by its script: an empty page until it runs, a drawer as cart, and fields of a card that belong to somebody else. */
export function openShop(desk: Desk): OpenedShop {
  const tokens = openTokens()
  const pages = ['/', '/products/:handle', '/checkout', '/orders/:number']
  return {
    sites: {
      [desk.host]: [
        ...pages.map((path): WebRoute => ({ method: 'GET', path, handle: () => page(shell()) })),
        { method: 'GET', path: '/assets/app-client.js', handle: () => text('text/javascript', clientScript) },
        { method: 'GET', path: '/assets/app-client.css', handle: () => text('text/css', clientStyle) },
        { method: 'GET', path: '/media/:file', handle: ({ params }) => image(params.file ?? '') },
        ...apiRoutes(desk, tokens),
      ],
      [frameHost]: cardFrameRoutes(tokens),
    },
  }
}

function shell() {
  return html`<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Stride</title><link rel="stylesheet" href="/assets/app-client.css">${written('<noscript>This shop needs JavaScript.</noscript>')}</head>
<body data-frame="https://${frameHost}"><div id="root"></div><script type="module" src="/assets/app-client.js"></script></body></html>`
}

function image(file: string): Reply {
  const product = findProduct(products, file.replace(/\.svg$/, ''))
  return product === undefined ? notFound() : text('image/svg+xml', drawing(product.name, accent))
}

function apiRoutes(desk: Desk, tokens: Tokens): WebRoute[] {
  return [
    { method: 'GET', path: '/api/products', handle: () => data(products.map(showProduct)) },
    {
      method: 'GET',
      path: '/api/products/:handle',
      handle: ({ params }) => {
        const product = findProduct(products, params.handle)
        return product === undefined ? data({ error: 'Not found' }, 404) : data(showProduct(product))
      },
    },
    { method: 'GET', path: '/api/cart', handle: (visit) => showCart(desk, cartOf(desk, visit)) },
    { method: 'POST', path: '/api/cart/lines', handle: (visit) => setLine(desk, visit) },
    { method: 'POST', path: '/api/checkout', handle: (visit) => fillCheckout(desk, visit) },
    { method: 'POST', path: '/api/orders', handle: (visit) => placeOrder(desk, tokens, visit) },
    {
      method: 'GET',
      path: '/api/orders/:number',
      handle: (visit) => {
        const order = desk.memory.orders.get(cartOf(desk, visit).orderId ?? '')
        if (order?.number !== visit.params.number) return data({ error: 'Not found' }, 404)
        return data({
          number: order?.number,
          email: order?.email,
          state: order?.state,
          ...shownTotals(order?.priced),
        })
      },
    },
  ]
}

function showProduct(product: Product): object {
  return {
    handle: product.handle,
    title: product.name,
    description: product.description,
    price: moneyText(product.price, tariff.currency, 'en-US'),
    price_amount: plainAmount(product.price, tariff.currency),
    currency: tariff.currency,
    options: product.options ?? {},
    variants: itemsOf(product).map(({ sku, name, price, stock }) => ({
      sku,
      name,
      choice: product.variants?.find((variant) => variant.sku === sku)?.choice ?? {},
      price: moneyText(price, tariff.currency, 'en-US'),
      price_amount: plainAmount(price, tariff.currency),
      available: stock > 0,
    })),
  }
}

/** The cart that a sale has closed is empty for the one who comes back. */
function showCart(desk: Desk, cart: Cart, status = 200): Reply {
  const open = cart.orderId === null ? cart : { ...cart, lines: [] }
  const { email, address, delivery } = open
  const body = {
    ...shownTotals(priceCart(tariff, open)),
    email,
    address,
    delivery,
    deliveries: address === null ? [] : tariff.deliveries.map((one) => ({ ...one, price: money(one.price) })),
  }
  return keepCart(desk, cart, data(body, status))
}

function shownTotals(priced: Priced | undefined): object {
  if (priced === undefined) return {}
  return {
    lines: priced.lines.map(({ sku, name, quantity, amount }) => ({
      sku,
      name,
      quantity,
      amount: money(amount),
    })),
    subtotal: money(priced.subtotal),
    shipping: priced.delivery === null ? null : money(priced.delivery),
    tax: priced.tax === null ? null : money(priced.tax),
    total: money(priced.total),
  }
}

function money(amount: number): string {
  return moneyText(amount, tariff.currency, 'en-US')
}

function setLine(desk: Desk, { form, ...visit }: Visit): Reply {
  const sku = form.get('sku') ?? ''
  const quantity = Number(form.get('quantity') ?? 1)
  const item = findItem(products, sku)
  const cart = cartOf(desk, { form, ...visit })
  if (item === undefined || !Number.isSafeInteger(quantity) || quantity > item.stock)
    return data({ error: 'This item is not available' }, 422)
  const others = { ...cart, lines: cart.lines.filter((line) => line.sku !== sku) }
  return showCart(desk, quantity < 1 ? others : withItem(others, sku, quantity))
}

/** Kept field by field as they become complete, as checkouts of one page do. */
function fillCheckout(desk: Desk, visit: Visit): Reply {
  const cart = cartOf(desk, visit)
  const read = readAddress(visit.form)
  const delivery = visit.form.get('delivery') ?? cart.delivery
  if (read.kind === 'wrong') return data({ errors: read.messages }, 422)
  return showCart(desk, { ...cart, email: read.email, address: read.address, delivery })
}

async function placeOrder(desk: Desk, tokens: Tokens, visit: Visit): Promise<Reply> {
  const cart = cartOf(desk, visit)
  const known = desk.memory.orders.get(cart.orderId ?? '')
  if (known !== undefined) return data({ number: known.number })
  const priced = priceCart(tariff, cart)
  if (priced.lines.length === 0 || priced.delivery === null)
    return data({ error: 'The checkout is not complete' }, 422)
  const card = tokens.take(visit.form.get('token') ?? '', desk.host)
  if (card === undefined) return data({ error: 'Enter your card again' }, 422)
  const order = await openOrder(desk, { cart, priced, method: 'card' })
  const { code } = await payOrder(desk, order, card)
  return code === null
    ? data({ number: order.number }, 201)
    : data({ error: `Your card was declined: ${code}` }, 402)
}
