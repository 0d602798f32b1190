import { readCard } from '../shop/card-fields.ts'
import type { Address, Cart } from '../shop/cart.ts'
import { cartOf, type Desk, keepCart, withItem } from '../shop/desk.ts'
import { findProduct, itemsOf } from '../shop/goods.ts'
import { openOrder, payOrder } from '../shop/place-order.ts'
import { priceCart } from '../shop/price-cart.ts'
import { drawing } from '../web/layout.ts'
import { notFound, type OpenedShop, page, type Reply, redirect, text, type Visit } from '../web/site.ts'
import { basketPage, checkoutPage, look, productPage, startPage, thanksPage } from './laden-pages.ts'
import { laden } from './sortiment.ts'

/** German, in euros with tax included, and all of the checkout on one page. */
export function openShop(desk: Desk): OpenedShop {
  const routes = [
    { method: 'GET', path: '/', handle: () => page(startPage()) },
    { method: 'GET', path: '/media/:file', handle: ({ params }: Visit) => media(params.file ?? '') },
    { method: 'GET', path: '/produkt/:handle', handle: (visit: Visit) => showProduct(desk, visit) },
    { method: 'POST', path: '/warenkorb/hinzufuegen', handle: (visit: Visit) => add(desk, visit) },
    { method: 'GET', path: '/warenkorb', handle: (visit: Visit) => showBasket(desk, visit) },
    { method: 'POST', path: '/warenkorb', handle: (visit: Visit) => changeBasket(desk, visit) },
    { method: 'GET', path: '/kasse', handle: (visit: Visit) => showCheckout(desk, visit) },
    { method: 'POST', path: '/kasse', handle: (visit: Visit) => takeCheckout(desk, visit) },
    { method: 'GET', path: '/danke/:number', handle: (visit: Visit) => showThanks(desk, visit) },
  ] as const
  return { sites: { [desk.host]: routes } }
}

function media(file: string): Reply {
  const product = findProduct(laden.products, file.replace(/\.svg$/, ''))
  return product === undefined ? notFound() : text('image/svg+xml', drawing(product.name, look.accent))
}

function showProduct(desk: Desk, { params }: Visit): Reply {
  const product = findProduct(laden.products, params.handle)
  return product === undefined ? notFound() : page(productPage(product, `https://${desk.host}`))
}

function add(desk: Desk, visit: Visit): Reply {
  const product = findProduct(laden.products, visit.form.get('artikel') ?? undefined)
  const [item] = product === undefined ? [] : itemsOf(product)
  const quantity = Number(visit.form.get('menge') ?? 1)
  if (item === undefined) return notFound()
  if (!Number.isSafeInteger(quantity) || quantity < 1 || quantity > item.stock)
    return redirect(`/produkt/${item.product.handle}`)
  return keepCart(
    desk,
    withItem(cartOf(desk, visit), item.sku, quantity),
    redirect('/warenkorb'),
    `added:${item.sku}`,
  )
}

function showBasket(desk: Desk, visit: Visit): Reply {
  const cart = cartOf(desk, visit)
  return page(basketPage(priceCart(laden, cart), []))
}

function changeBasket(desk: Desk, visit: Visit): Reply {
  const cart = cartOf(desk, visit)
  const code = (visit.form.get('gutscheincode') ?? '').trim().toUpperCase()
  const isGood = code === laden.promo?.code
  const lines = cart.lines.filter(({ sku }) => sku !== visit.form.get('entfernen'))
  const changed: Cart = { ...cart, lines, promo: isGood ? code : cart.promo }
  const messages = code !== '' && !isGood ? [`Der Gutscheincode „${code}“ ist ungültig.`] : []
  return keepCart(desk, changed, page(basketPage(priceCart(laden, changed), messages)))
}

function showCheckout(desk: Desk, visit: Visit): Reply {
  const cart = cartOf(desk, visit)
  const order = desk.memory.orders.get(cart.orderId ?? '')
  if (order !== undefined) return redirect(`/danke/${order.number}`)
  if (cart.lines.length === 0) return redirect('/warenkorb')
  const priced = priceCart(laden, withAddress(cart, new URLSearchParams(), 'dhl'))
  return page(checkoutPage(priced, new URLSearchParams({ versandart: cart.delivery ?? 'dhl' }), []))
}

/** The whole checkout in one form: another way of delivery only shows it again with what that costs. */
async function takeCheckout(desk: Desk, visit: Visit): Promise<Reply> {
  const { form } = visit
  const cart = withAddress(cartOf(desk, visit), form, form.get('versandart') ?? 'dhl')
  const known = desk.memory.orders.get(cart.orderId ?? '')
  if (known !== undefined) return redirect(`/danke/${known.number}`)
  if (cart.lines.length === 0) return redirect('/warenkorb')
  const priced = priceCart(laden, cart)
  const again = (messages: string[]) => keepCart(desk, cart, page(checkoutPage(priced, form, messages)))
  if (form.has('aktualisieren')) return again([])
  const missing = wrongIn(form)
  if (missing.length > 0) return again(missing)
  const read = readCard(form)
  if (read.kind === 'wrong') return again(['Bitte prüfen Sie die Angaben zu Ihrer Karte.'])
  const order = await openOrder(desk, { cart, priced, method: 'card' })
  const { code } = await payOrder(desk, order, read.card)
  return code === null ? redirect(`/danke/${order.number}`) : again(['Ihre Karte wurde abgelehnt.'])
}

const required: readonly [string, string][] = [
  ['email', 'E-Mail-Adresse'],
  ['vorname', 'Vorname'],
  ['nachname', 'Nachname'],
  ['strasse', 'Straße'],
  ['hausnummer', 'Hausnummer'],
  ['plz', 'Postleitzahl'],
  ['ort', 'Ort'],
]

function wrongIn(form: URLSearchParams): string[] {
  const messages = required
    .filter(([name]) => (form.get(name) ?? '').trim() === '')
    .map(([, label]) => `${label} ist ein Pflichtfeld.`)
  if (form.get('plz') && !/^\d{4,5}$/.test(form.get('plz') ?? ''))
    messages.push('Die Postleitzahl ist ungültig.')
  if (!form.has('agb')) messages.push('Bitte akzeptieren Sie unsere AGB.')
  return messages
}

function withAddress(cart: Cart, form: URLSearchParams, delivery: string): Cart {
  const value = (name: string) => (form.get(name) ?? '').trim()
  const address: Address = {
    name: `${value('vorname')} ${value('nachname')}`.trim(),
    line1: `${value('strasse')} ${value('hausnummer')}`.trim(),
    line2: value('zusatz'),
    city: value('ort'),
    region: '',
    postalCode: value('plz'),
    country: value('land') || 'DE',
    phone: value('telefon'),
  }
  return { ...cart, email: value('email') || null, address, delivery }
}

function showThanks(desk: Desk, visit: Visit): Reply {
  const order = desk.memory.orders.get(cartOf(desk, visit).orderId ?? '')
  return order !== undefined && order.number === visit.params.number ? page(thanksPage(order)) : notFound()
}
