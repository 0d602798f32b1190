import { cartOf, type Desk, keepCart } from '../shop/desk.ts'
import { priceCart, totalOf } from '../shop/price-cart.ts'
import type { Storefront } from '../storefront/storefront.ts'
import { storefrontRoutes } from '../storefront/storefront-routes.ts'
import { usualTerms } from '../storefront/usual-terms.ts'
import { html } from '../web/html.ts'
import { type OpenedShop, page, type Reply, redirect, type Visit } from '../web/site.ts'
import {
  cardPage,
  drawnPage,
  gatewayPage,
  habitPage,
  kindsPage,
  readReview,
  rowsPage,
  stayingPage,
} from './habit-pages.ts'
import { keptPage, onePage } from './one-page.ts'
import { onePageRoutes } from './one-page-routes.ts'

/** Its delivery is chosen for its buyer. */
const oneWay = 'card-first-one-way'

/** Each product is sold as some shop software sells it. */
const habits: Storefront = {
  ...usualTerms,
  // What all of it costs is known before the last page.
  taxPercent: 0,
  look: { title: 'Creatures of Habit', tagline: 'Bought as others sell', lang: 'en', accent: '#7a4a12' },
  products: (
    [
      ['choose', 'Candle', 'Its delivery is chosen in a window.'],
      ['accordion', 'Lantern', 'Its checkout folds out, one step after the other.'],
      ['card-first', 'Tealight', 'Its card is asked for before its total.'],
      ['card-first-dearer', 'Torch', 'Its total is higher after the card.'],
      [
        'card-first-one-way',
        'Votive',
        'Its one way of delivery is not asked for; the cart alone says what it costs.',
      ],
      ['kept', 'Nightlight', 'What is filled in is kept once all of its fields are left.'],
      ['drawn', 'Sparkler', 'Its ways of delivery are drawn by their labels.'],
      ['lumen-15', 'Lumen 15', 'Its page stays where it is.'],
      ['wordless', 'Ember', 'Nothing but the address says that it was ordered.'],
      ['shirt-small', 'Shirt, small', 'One of two sizes.'],
      ['shirt-large', 'Shirt, large', 'One of two sizes.'],
      ['vest-1', 'Vest', 'One of two sizes.'],
      ['vest-2', 'Vest', 'One of two sizes.'],
    ] as const
  ).map(([handle, name, description]) => ({ handle, name, description, price: 2000, stock: 1_000 })),
  productBody: ({ handle }) =>
    handle.startsWith('vest-') &&
    html`<table><tbody><tr><th>Size</th><td>${handle === 'vest-1' ? 'Small' : 'Large'}</td></tr><tr><th>Reviews</th><td>0</td></tr></tbody></table>`,
  instead: (visit, cart, stage) => insteadOf(visit, { sku: cart.lines[0]?.sku ?? '', stage }),
  reprice(priced, stage, cart) {
    const sku = cart.lines[0]?.sku
    if (sku === oneWay) return priceCart(habits, { ...cart, delivery: 'standard' })
    return sku === 'card-first-dearer' && stage === 'final'
      ? totalOf(habits, cart, { ...priced, fee: { name: 'Handling fee', amount: 100 } })
      : priced
  },
}

/** The page that is shown instead of the usual one. */
function insteadOf(visit: Visit, { sku, stage }: { sku: string; stage: string }): Reply | undefined {
  if (visit.method !== 'GET') return undefined
  const { pathname } = visit.url
  const { handle = '' } = visit.params
  if (stage === 'product' && (handle === 'shirt' || handle === 'vest')) return page(kindsPage(habits, handle))
  if (stage === 'product' && (handle === 'lumen-15' || handle === oneWay))
    return page(stayingPage(habits, handle))
  if (pathname === '/checkout' && (sku === 'choose' || sku === 'accordion')) return page(onePage(habits, sku))
  if (pathname === '/checkout' && sku === 'kept') return page(keptPage(habits))
  if (sku === 'drawn' && stage === 'delivery') return page(drawnPage(habits))
  if (!sku.startsWith('card-first')) return undefined
  if (pathname === '/checkout') return page(gatewayPage(habits, null))
  if (stage === 'delivery') return sku === oneWay ? redirect('/checkout/payment') : page(rowsPage(habits))
  return stage === 'payment' ? page(cardPage(habits, null)) : undefined
}

/** Guests leave an address of e-mail; nobody has an account here. */
function takeGateway(desk: Desk, visit: Visit): Reply {
  const [email, option] = [visit.form.get('username') ?? '', visit.form.get('options')]
  if (option !== 'anonymous')
    return page(gatewayPage(habits, option === 'new' ? 'We take no new customers.' : 'Unknown customer.'))
  if (!email.includes('@')) return page(gatewayPage(habits, 'Enter a valid email address.'))
  const cart = cartOf(desk, visit)
  const delivery = cart.lines[0]?.sku === oneWay ? 'standard' : cart.delivery
  return keepCart(desk, { ...cart, email, delivery }, redirect('/checkout/address'))
}

/** The order of this product has a page whose words say nothing of it. */
function wordlessOrder(desk: Desk, visit: Visit): Reply | undefined {
  const cart = cartOf(desk, visit)
  const order = desk.memory.orders.get(cart.orderId ?? '')
  const isIt = cart.lines[0]?.sku === 'wordless' && order !== undefined && order.state !== 'charging'
  return isIt ? redirect('/checkout/success') : undefined
}

export function openShop(desk: Desk): OpenedShop {
  const routes = [
    {
      method: 'POST',
      path: '/checkout/gateway',
      handle: (visit: Visit) => takeGateway(desk, visit),
    },
    {
      method: 'POST',
      path: '/checkout/review',
      handle(visit: Visit) {
        const cart = cartOf(desk, visit)
        const priced = habits.reprice?.(priceCart(habits, cart), 'final', cart) ?? priceCart(habits, cart)
        return page(readReview(habits, { visit, cart, priced }))
      },
    },
    {
      method: 'GET',
      path: '/checkout/success',
      handle: () => page(habitPage(habits, 'A light for you', 'It is on its way, and so is the evening.')),
    },
    ...onePageRoutes(desk, habits),
    ...storefrontRoutes(desk, habits).map((route) =>
      route.path === '/order/:number'
        ? { ...route, handle: (visit: Visit) => wordlessOrder(desk, visit) ?? route.handle(visit) }
        : route,
    ),
  ] as const
  return { sites: { [desk.host]: routes } }
}
