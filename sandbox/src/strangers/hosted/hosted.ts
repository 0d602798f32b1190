import type { Cart } from '../shop/cart.ts'
import { type Desk, keepCart, newId } from '../shop/desk.ts'
import type { Order } from '../shop/memory.ts'
import { openOrder } from '../shop/place-order.ts'
import type { Paying, Storefront } from '../storefront/storefront.ts'
import { storefrontRoutes } from '../storefront/storefront-routes.ts'
import { usualTerms } from '../storefront/usual-terms.ts'
import { html } from '../web/html.ts'
import { notFound, type OpenedShop, type Reply, redirect, type Visit } from '../web/site.ts'
import { bankHost, bankRoutes, openChallenges, pageHost, payPageRoutes, sessionNote } from './pay-page.ts'

/** What has this in its cart is checked out at another host, as where a shop has its checkout from somebody else. */
const tilledSku = 'desk-pad'
const tillHost = 'checkout.tills.test'

const hosted: Storefront = {
  ...usualTerms,
  look: { title: 'Paper & Ink', tagline: 'Stationery', lang: 'en', accent: '#8a2846' },
  products: [
    {
      handle: 'notebook',
      name: 'Dotted Notebook',
      description: 'Paid without any question of the bank.',
      price: 1900,
    },
    {
      handle: 'frictionless',
      name: 'Fountain Pen',
      description: 'The bank looks, and asks nothing.',
      price: 8900,
    },
    {
      handle: 'challenge',
      name: 'Letter Press',
      description: 'The bank wants a code from its customer.',
      price: 14_900,
    },
    {
      handle: tilledSku,
      name: 'Desk Pad 2',
      description: 'The checkout for it is at another host.',
      price: 2400,
    },
  ],
  methods: [{ id: 'card', name: 'Credit card', note: 'You will be taken to our payment partner' }],
  payment: () => ({
    fields: html`<p>After “Continue to payment” you pay on the secure page of PayPage.</p>`,
    button: 'Continue to payment',
  }),
  pay: sendToPayPage,
}

/** The card is typed on a page of a payment company, and the bank may ask its customer first. */
export function openShop(desk: Desk): OpenedShop {
  const challenges = openChallenges()
  return {
    sites: {
      [desk.host]: [
        { method: 'GET', path: '/payment/return', handle: (visit) => comeBack(desk, visit) },
        ...storefrontRoutes(desk, { ...hosted, instead: sendToTill }),
      ],
      [tillHost]: [
        { method: 'GET', path: '/begin/:cart', handle: (visit) => takeOver(desk, visit) },
        ...storefrontRoutes(desk, hosted),
      ],
      [pageHost]: payPageRoutes(desk, challenges),
      [bankHost]: bankRoutes(challenges),
    },
  }
}

function sendToTill({ url }: Visit, { id, lines }: Cart): Reply | undefined {
  const isTilled = lines.some(({ sku }) => sku === tilledSku)
  return isTilled && url.pathname.startsWith('/checkout')
    ? redirect(`https://${tillHost}/begin/${id}`)
    : undefined
}

/** The cart comes with its name, because a cookie does not go to another host. */
function takeOver(desk: Desk, { params }: Visit): Reply {
  const cart = desk.memory.carts.get(params.cart ?? '')
  return cart === undefined ? notFound() : keepCart(desk, cart, redirect('/checkout'))
}

async function sendToPayPage({ desk, cart, priced, method }: Paying): Promise<Reply> {
  const order = await openOrder(desk, { cart, priced, method, isPaidElsewhere: true })
  const session = newId('cs')
  desk.memory.commit({ kind: 'note', name: sessionNote(session), value: order.id })
  return redirect(`https://${pageHost}/pay/${session}`)
}

/** What counts is the shop's own book, not what the address says. */
function comeBack(desk: Desk, { url }: Visit): Reply {
  const orderId = desk.memory.notes.get(sessionNote(url.searchParams.get('session') ?? ''))
  const order: Order | undefined = desk.memory.orders.get(orderId ?? '')
  if (order === undefined) return notFound()
  return order.state === 'unpaid' || order.state === 'declined'
    ? redirect('/checkout/payment')
    : redirect(`/order/${order.number}`)
}
