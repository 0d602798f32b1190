import { readCard } from '../shop/card-fields.ts'
import type { Address, Cart } from '../shop/cart.ts'
import { cartOf, type Desk, freshCart, keepCart, withItem } from '../shop/desk.ts'
import { findProduct } from '../shop/goods.ts'
import { openOrder, payOrder } from '../shop/place-order.ts'
import { priceCart, type Tariff } from '../shop/price-cart.ts'
import { usualTerms } from '../storefront/usual-terms.ts'
import { drawing } from '../web/layout.ts'
import {
  notFound,
  type OpenedShop,
  page,
  type Reply,
  redirect,
  text,
  type Visit,
  type WebRoute,
} from '../web/site.ts'
import {
  addressPage,
  bagPage,
  donePage,
  expiredPage,
  offerPage,
  payPage,
  productPage,
  suggestionPage,
} from './messy-pages.ts'
import {
  isRiddle,
  orderNow,
  riddleAddress,
  riddleBag,
  riddleGoesTo,
  riddles,
  showEnd,
  showRiddle,
  takeRiddle,
  takeRiddleAddress,
} from './riddles.ts'

const plan = 'plan'

const tariff: Tariff = {
  ...usualTerms,
  products: [
    { handle: '7731', name: 'Glow Lamp', description: 'vibes only', price: 3499 },
    {
      handle: '7732',
      name: 'Glow Lamp Mini (session expires once)',
      description: 'small vibes',
      price: 1999,
    },
    { handle: '7733', name: 'Glow Lamp XL', description: 'big vibes', price: 6499, stock: 0 },
    ...riddles,
    { handle: plan, name: '2-Year Protection', description: 'Peace of mind', price: 999, isDigital: true },
  ],
  deliveries: [{ id: 'standard', name: 'Standard', promise: 'soon', price: 599 }],
}

/** Everything that makes a page hard to use: no labels, no buttons, walls and pop-ups, an upsell, a session that ends. */
export function openShop(desk: Desk): OpenedShop {
  const at = (
    method: WebRoute['method'],
    path: string,
    work: (desk: Desk, visit: Visit) => Reply | Promise<Reply>,
  ) => ({
    method,
    path,
    handle: (visit: Visit) => work(desk, visit),
  })
  return {
    sites: {
      [desk.host]: [
        at('GET', '/', () => redirect('/p/7731')),
        at('GET', '/media/:file', (_, { params }) =>
          text('image/svg+xml', drawing(`${params.file}`, '#ff3d81')),
        ),
        at('GET', '/p/:id', showProduct),
        at('POST', '/bag/add', addToBag),
        at('GET', '/offer', () => page(offerPage())),
        at('POST', '/offer', takeOffer),
        at('GET', '/bag', showBag),
        at('POST', '/bag/remove', removeFromBag),
        at('GET', '/co/1', showAddress),
        at('POST', '/co/1', takeAddress),
        at('POST', '/co/1b', takeSuggestion),
        at('GET', '/co/2', showPay),
        at('POST', '/co/2', takePay),
        at('GET', '/done/:number', showDone),
        at('POST', '/r/:id', takeRiddle),
        at('GET', '/nearly', (_, visit) => showEnd(tariff, cartOf(desk, visit))),
        at('POST', '/now', (_, visit) => orderNow(desk, tariff, visit)),
      ],
    },
  }
}

function showProduct(_: Desk, { params }: Visit): Reply {
  const product = findProduct(tariff.products, params.id)
  if (product === undefined || product.handle === plan) return notFound()
  return riddles.includes(product) ? showRiddle(product) : page(productPage(product))
}

function addToBag(desk: Desk, visit: Visit): Reply {
  const product = findProduct(tariff.products, visit.form.get('i') ?? undefined)
  if (product === undefined || product.stock === 0) return notFound()
  return keepCart(desk, withItem(cartOf(desk, visit), product.handle, 1), redirect('/offer'), 'added')
}

function takeOffer(desk: Desk, visit: Visit): Reply {
  const cart = cartOf(desk, visit)
  return visit.form.get('y') === '1'
    ? keepCart(desk, withItem(cart, plan, 1), redirect('/bag'), 'upsold')
    : redirect('/bag')
}

function showBag(desk: Desk, visit: Visit): Reply {
  const cart = cartOf(desk, visit)
  return isRiddle(cart) ? riddleBag(tariff, cart) : page(bagPage(priceCart(tariff, cart)))
}

function removeFromBag(desk: Desk, visit: Visit): Reply {
  const cart = cartOf(desk, visit)
  const lines = cart.lines.filter(({ sku }) => sku !== visit.form.get('i'))
  return keepCart(desk, { ...cart, lines }, redirect('/bag'), 'removed')
}

function showAddress(desk: Desk, visit: Visit): Reply {
  const cart = cartOf(desk, visit)
  return before(desk, visit) ?? (isRiddle(cart) ? riddleAddress(cart) : page(addressPage([])))
}

/** The names of the fields say nothing. */
function takeAddress(desk: Desk, visit: Visit): Reply {
  const early = before(desk, visit)
  if (early !== undefined) return early
  const cart = cartOf(desk, visit)
  if (cart.lines.some(({ sku }) => sku === '7732') && cart.notes.hasExpired !== 'yes') {
    const fresh: Cart = { ...freshCart(null), notes: { hasExpired: 'yes' } }
    return keepCart(desk, fresh, page(expiredPage(), 440), 'expired')
  }
  const value = (name: string) => (visit.form.get(name) ?? '').trim()
  const address: Address = {
    name: value('f2'),
    line1: value('f3'),
    line2: value('f4'),
    city: value('f5'),
    region: value('f6'),
    postalCode: value('f7'),
    country: 'US',
    phone: value('f8'),
  }
  if (isRiddle(cart)) return takeRiddleAddress(desk, { cart, address, email: value('f1'), form: visit.form })
  const wrong = ['f1', 'f2', 'f3', 'f5', 'f7'].filter((name) => value(name) === '')
  if (wrong.length > 0) return page(addressPage(['Oops! Looks like you missed something.']))
  const filled = { ...cart, email: value('f1'), address, delivery: 'standard' }
  return keepCart(desk, filled, page(suggestionPage(address, suggested(address))))
}

function suggested(address: Address): Address {
  const line1 = address.line1
    .toUpperCase()
    .replace(/\bSTREET\b/, 'ST')
    .replace(/\bWAY\b/, 'WY')
  return {
    ...address,
    line1,
    city: address.city.toUpperCase(),
    postalCode: `${address.postalCode.slice(0, 5)}-1843`,
  }
}

function takeSuggestion(desk: Desk, visit: Visit): Reply {
  const cart = cartOf(desk, visit)
  if (cart.address === null) return redirect('/co/1')
  const address = visit.form.get('u') === '1' ? suggested(cart.address) : cart.address
  return keepCart(desk, { ...cart, address }, redirect('/co/2'))
}

function showPay(desk: Desk, visit: Visit): Reply {
  const cart = cartOf(desk, visit)
  const early = before(desk, visit)
  if (early !== undefined) return early
  if (cart.address === null) return redirect('/co/1')
  return page(payPage(priceCart(tariff, cart), [], isRiddle(cart) ? riddleGoesTo(cart) : null))
}

async function takePay(desk: Desk, visit: Visit): Promise<Reply> {
  const cart = cartOf(desk, visit)
  const early = before(desk, visit)
  if (early !== undefined) return early
  if (cart.address === null) return redirect('/co/1')
  const priced = priceCart(tariff, cart)
  const { form } = visit
  const typed = {
    card_number: form.get('p1') ?? '',
    card_expiry: form.get('p2') ?? '',
    card_cvc: form.get('p3') ?? '',
  }
  const read = readCard(new URLSearchParams(typed))
  if (read.kind === 'wrong') return page(payPage(priced, ['Hmm, that card doesn’t look right.']))
  const order = await openOrder(desk, { cart, priced, method: 'card' })
  const { code } = await payOrder(desk, order, read.card)
  return code === null ? redirect(`/done/${order.number}`) : page(payPage(priced, ['Your bank said no :(']))
}

function before(desk: Desk, visit: Visit): Reply | undefined {
  const cart = cartOf(desk, visit)
  const order = desk.memory.orders.get(cart.orderId ?? '')
  if (order !== undefined) return redirect(`/done/${order.number}`)
  return cart.lines.length === 0 ? redirect('/bag') : undefined
}

function showDone(desk: Desk, visit: Visit): Reply {
  const order = desk.memory.orders.get(cartOf(desk, visit).orderId ?? '')
  return order !== undefined && order.number === visit.params.number ? page(donePage(order)) : notFound()
}
