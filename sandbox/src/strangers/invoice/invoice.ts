import { cardFields } from '../shop/card-fields.ts'
import type { Cart } from '../shop/cart.ts'
import type { Desk } from '../shop/desk.ts'
import type { Product } from '../shop/goods.ts'
import type { Order } from '../shop/memory.ts'
import { claimCart, keepOrder, openOrder } from '../shop/place-order.ts'
import { payByCard } from '../storefront/pay-by-card.ts'
import type { Method, Paying, Storefront } from '../storefront/storefront.ts'
import { storefrontRoutes } from '../storefront/storefront-routes.ts'
import { usualTerms } from '../storefront/usual-terms.ts'
import { html } from '../web/html.ts'
import { type OpenedShop, type Reply, redirect } from '../web/site.ts'

const card: Method = { id: 'card', name: 'Credit card' }
const invoice: Method = { id: 'invoice', name: 'Invoice', note: 'Pay within 14 days of delivery' }
const installments: Method = { id: 'installments', name: 'Pay in 4', note: '4 interest-free payments' }

type Way = Product & { methods?: readonly Method[]; terms?: string; isNeverCharged?: true }

const products: readonly Way[] = [
  {
    handle: 'desk-lamp',
    name: 'Desk Lamp',
    description: 'Invoice is chosen beforehand; a card may be chosen instead.',
    price: 5900,
  },
  {
    handle: 'invoice-only',
    name: 'Office Chair',
    description: 'Sold on invoice alone.',
    price: 18_900,
    methods: [invoice],
  },
  {
    handle: 'installments',
    name: 'Standing Desk',
    description: 'Four payments are chosen beforehand; a card may be chosen instead.',
    price: 39_900,
    methods: [installments, card],
  },
  {
    handle: 'confirms-unpaid',
    name: 'Filing Cabinet',
    description: 'Takes a card, confirms the order, and never asks the bank.',
    price: 12_900,
    methods: [card],
    isNeverCharged: true,
  },
  {
    handle: 'free-sample',
    name: 'Fabric Sample',
    description: 'A total of nothing.',
    price: 0,
    isDigital: true,
    methods: [card],
  },
  {
    handle: 'club',
    name: 'Coffee Club',
    description: 'A bag of coffee each month.',
    price: 1490,
    isDigital: true,
    methods: [card],
    terms: 'Subscription: $14.90 today, then $14.90 every month until you cancel.',
  },
  {
    handle: 'trial',
    name: 'Design Magazine',
    description: 'Free for thirty days.',
    price: 0,
    isDigital: true,
    methods: [card],
    terms: 'Free trial: $0.00 today, then $19.00 per month after 30 days, renews automatically.',
  },
]

const front: Storefront = {
  ...usualTerms,
  look: { title: 'Office Depot No. 9', tagline: 'Business friendly', lang: 'en', accent: '#1d4e89' },
  products,
  methods: [invoice, card],
  methodsFor: (cart) => wayOf(cart)?.methods ?? [invoice, card],
  productBody: (product) => {
    const terms = products.find(({ handle }) => handle === product.handle)?.terms
    return terms !== undefined && html`<p class="subscription-details"><strong>${terms}</strong></p>`
  },
  payment: (cart, priced) => {
    const terms = wayOf(cart)?.terms
    const button =
      terms !== undefined ? 'Start subscription' : priced.total === 0 ? 'Complete order' : 'Place order'
    return {
      fields: html`${terms !== undefined && html`<p class="subscription-details">${terms}</p>`}${cardFields()}`,
      button,
    }
  },
  pay,
}

/** Orders that are no purchase by card: invoices, installments, confirmations without a charge, totals of nothing, subscriptions. */
export function openShop(desk: Desk): OpenedShop {
  return { sites: { [desk.host]: storefrontRoutes(desk, front) } }
}

function wayOf({ lines }: Cart): Way | undefined {
  return products.find(({ handle }) => lines.some(({ sku }) => sku === handle))
}

async function pay(paying: Paying): Promise<Reply> {
  const { desk, cart, priced, method } = paying
  const isCharged = method === 'card' && priced.total > 0 && !wayOf(cart)?.isNeverCharged
  if (isCharged) return payByCard(paying)
  const opened = await openOrder(desk, { cart, priced, method, isPaidElsewhere: true })
  claimCart(desk, cart, opened)
  const order: Order = { ...opened, state: 'unpaid' }
  keepOrder(desk, order, `confirmed:${method}`)
  return redirect(`/order/${order.number}`)
}
