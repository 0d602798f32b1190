import { setTimeout as wait } from 'node:timers/promises'
import { readCard } from '../shop/card-fields.ts'
import type { Cart } from '../shop/cart.ts'
import { cartOf, type Desk } from '../shop/desk.ts'
import { claimCart, keepOrder, openOrder, payOrder } from '../shop/place-order.ts'
import { payByCard, paymentAgain } from '../storefront/pay-by-card.ts'
import type { Paying, Storefront } from '../storefront/storefront.ts'
import { storefrontRoutes } from '../storefront/storefront-routes.ts'
import { usualTerms } from '../storefront/usual-terms.ts'
import { html } from '../web/html.ts'
import { shopPage } from '../web/layout.ts'
import { type OpenedShop, page, type Reply, redirect, type WebRoute } from '../web/site.ts'

const look = { title: 'Sunday Shop', tagline: 'Be patient with us', lang: 'en', accent: '#9a5b13' }

const slowPageMs = 2_000
const laterMs = 3_000
const hangMs = 60_000

const stories: Readonly<Record<string, string>> = {
  steady: 'Answers as it should.',
  'dies-before-charge': 'The connection breaks at the order, and nothing is charged.',
  'dies-after-charge': 'The card is charged, then the connection breaks.',
  'dies-then-charges': 'The connection breaks at once, and the card is charged three seconds later.',
  'error-after-order': 'An error is shown after an order that was charged.',
  'error-before-order': 'An error is shown, and nothing was ordered.',
  processing: 'The page says that the order is being processed; three seconds later it is there.',
  hangs: 'The card is charged, and the answer comes a minute later.',
  'slow-pages': 'Every page takes two seconds.',
}

const slow: Storefront = {
  ...usualTerms,
  look,
  products: Object.entries(stories).map(([handle, description]) => ({
    handle,
    name: `Clock ${handle.replaceAll('-', ' ')}`,
    description,
    price: 2500,
  })),
  pay: payInItsTime,
}

/** Answers that are lost, late or wrong. */
export function openShop(desk: Desk): OpenedShop {
  return { sites: { [desk.host]: storefrontRoutes(desk, slow).map((route) => slowed(desk, route)) } }
}

function slowed(desk: Desk, route: WebRoute): WebRoute {
  return {
    ...route,
    handle: async (visit) => {
      const isSlow = visit.params.handle === 'slow-pages' || storyOf(cartOf(desk, visit)) === 'slow-pages'
      if (isSlow) await wait(slowPageMs, undefined, { ref: false })
      return route.handle(visit)
    },
  }
}

function storyOf({ lines }: Cart): string {
  return lines[0]?.sku ?? ''
}

async function payInItsTime(paying: Paying): Promise<Reply> {
  const story = storyOf(paying.cart)
  switch (story) {
    case 'dies-before-charge':
      return { kind: 'break' }
    case 'error-before-order':
      return errorPage()
    case 'dies-after-charge':
      await payByCard(paying)
      return { kind: 'break' }
    case 'error-after-order':
      await payByCard(paying)
      return errorPage()
    case 'hangs': {
      const reply = await payByCard(paying)
      await wait(hangMs, undefined, { ref: false })
      return reply
    }
    case 'processing':
      return payLater(paying)
    case 'dies-then-charges':
      await payLater(paying)
      return { kind: 'break' }
    default:
      return payByCard(paying)
  }
}

/** The order is in the book; the card is asked when the shop comes to it. */
async function payLater(paying: Paying): Promise<Reply> {
  const { desk, cart, priced, method, visit } = paying
  const read = readCard(visit.form)
  if (read.kind === 'wrong') return paymentAgain(paying, read.messages)
  const opened = await openOrder(desk, { cart, priced, method, isPaidElsewhere: true })
  const order = { ...opened, state: 'charging' } as const
  claimCart(desk, cart, order)
  keepOrder(desk, order, 'waiting')
  void wait(laterMs, undefined, { ref: false }).then(() => payOrder(desk, order, read.card))
  return redirect(`/order/${order.number}`)
}

function errorPage(): Reply {
  const body = html`<h1>Something went wrong</h1><p class="notice" role="alert">We could not complete your request. Please try again later.</p>`
  return page(shopPage({ look, title: 'Error', body }), 500)
}
