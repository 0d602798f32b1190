import { readAddress, typedAddress } from '../shop/address.ts'
import type { Cart } from '../shop/cart.ts'
import { cartOf, type Desk, keepCart, withItem } from '../shop/desk.ts'
import { findProduct, itemsOf, type Product } from '../shop/goods.ts'
import { type Priced, priceCart } from '../shop/price-cart.ts'
import { drawing } from '../web/layout.ts'
import { notFound, page, type Reply, redirect, text, type Visit, type WebRoute } from '../web/site.ts'
import { homePage, productPage } from './catalog-pages.ts'
import { changeCart } from './change-cart.ts'
import {
  addressPage,
  cartPage,
  confirmationPage,
  deliveryPage,
  noticeOf,
  paymentPage,
  processingPage,
  welcomePage,
} from './checkout-pages.ts'
import { payByCard } from './pay-by-card.ts'
import { methodsOf, pathOf, priceAt, type Stage, type Storefront } from './storefront.ts'

type Step = { visit: Visit; cart: Cart; priced: Priced }

/** The pages of a shop of this kind. */
export function storefrontRoutes(desk: Desk, front: Storefront): WebRoute[] {
  /** A page of the checkout: whoever comes too early is sent to the step that is missing. */
  const step = (stage: Stage, work: (step: Step) => Reply | Promise<Reply>) => (visit: Visit) => {
    const cart = cartOf(desk, visit)
    const barred = front.instead?.(visit, cart, stage)
    if (barred !== undefined) return barred
    const early = stepBefore(desk, front, cart, stage)
    return early ?? work({ visit, cart, priced: priceAt(front, stage, cart, priceCart(front, cart)) })
  }
  return [
    { method: 'GET', path: '/', handle: () => page(homePage(front)) },
    { method: 'GET', path: '/media/:file', handle: ({ params }) => media(front, params.file ?? '') },
    {
      method: 'GET',
      path: `${front.productsAt ?? '/product'}/:handle`,
      handle: (visit) => showProduct(desk, front, visit),
    },
    { method: 'POST', path: '/cart/add', handle: (visit) => addToCart(desk, front, visit) },
    {
      method: 'GET',
      path: '/cart',
      handle: step('cart', ({ priced }) => page(cartPage(front, priced, null))),
    },
    { method: 'POST', path: '/cart', handle: step('cart', (at) => changeCart(desk, front, at)) },
    {
      method: 'GET',
      path: '/checkout',
      handle: step('cart', ({ priced }) =>
        priced.lines.length === 0 ? redirect('/cart') : page(welcomePage(front, priced, null)),
      ),
    },
    {
      method: 'POST',
      path: '/login',
      // Nobody has an account here: a shop for guests.
      handle: step('cart', ({ priced }) =>
        page(welcomePage(front, priced, noticeOf(['Unknown email address or password.']))),
      ),
    },
    {
      method: 'GET',
      path: '/checkout/address',
      handle: step('address', ({ cart, priced }) =>
        page(addressPage(front, typedAddress(cart), { cart, priced, notice: null })),
      ),
    },
    {
      method: 'POST',
      path: '/checkout/address',
      handle: step('address', (at) => takeAddress(desk, front, at)),
    },
    {
      method: 'GET',
      path: '/checkout/delivery',
      handle: step('delivery', ({ cart, priced }) =>
        page(deliveryPage(front, cart, { priced, notice: null })),
      ),
    },
    {
      method: 'POST',
      path: '/checkout/delivery',
      handle: step('delivery', (at) => takeDelivery(desk, front, at)),
    },
    {
      method: 'GET',
      path: '/checkout/payment',
      handle: step('payment', ({ cart, priced }) => page(paymentPage(front, cart, { priced, notice: null }))),
    },
    {
      method: 'POST',
      path: '/checkout/payment',
      handle: step('final', (at) => takePayment(desk, front, at)),
    },
    { method: 'GET', path: '/order/:number', handle: (visit) => showOrder(desk, front, visit) },
  ]
}

/** A drawing with the name of the product. */
function media({ products, look }: Storefront, file: string): Reply {
  const product = findProduct(products, file.replace(/\.svg$/, ''))
  return product === undefined ? notFound() : text('image/svg+xml', drawing(product.name, look.accent))
}

function showProduct(desk: Desk, front: Storefront, visit: Visit): Reply {
  const barred = front.instead?.(visit, cartOf(desk, visit), 'product')
  if (barred !== undefined) return barred
  const product = findProduct(front.products, visit.params.handle)
  if (product === undefined) return notFound()
  const message = visit.url.searchParams.get('message')
  const notice = noticeOf(message === null ? [] : [message])
  const chosen = visit.url.searchParams.get('variant')
  return page(productPage(front, { product, origin: `https://${desk.host}`, chosen, notice }))
}

function addToCart(desk: Desk, front: Storefront, visit: Visit): Reply {
  const product = findProduct(front.products, visit.form.get('product') ?? undefined)
  if (product === undefined) return notFound()
  const quantity = Number(visit.form.get('quantity') ?? 1)
  const cart = cartOf(desk, visit)
  const item = chosenItem(product, visit.form)
  const back = (message: string) =>
    redirect(`${pathOf(front, product)}?message=${encodeURIComponent(message)}`)
  if (item === undefined) return back('Please choose product options.')
  if (!Number.isSafeInteger(quantity) || quantity < item.minimum)
    return back(`The minimum quantity for this product is ${item.minimum}.`)
  const inCart = cart.lines.find(({ sku }) => sku === item.sku)?.quantity ?? 0
  if (item.stock === 0) return back('Sorry, this product is out of stock.')
  if (quantity + inCart > item.stock)
    return back(`Sorry, we have only ${item.stock} of this product in stock.`)
  return keepCart(desk, withItem(cart, item.sku, quantity), redirect('/cart'), `added:${item.sku}`)
}

function chosenItem(product: Product, form: URLSearchParams) {
  const items = itemsOf(product)
  if (product.variants === undefined) return items[0]
  const variant = product.variants.find(({ choice }) =>
    Object.entries(choice).every(([name, value]) => form.get(`option_${name.toLowerCase()}`) === value),
  )
  return items.find(({ sku }) => sku === variant?.sku)
}

function stepBefore(desk: Desk, front: Storefront, cart: Cart, stage: Stage): Reply | undefined {
  const order = desk.memory.orders.get(cart.orderId ?? '')
  if (order !== undefined && stage !== 'cart') return redirect(`/order/${order.number}`)
  if (stage === 'cart') return undefined
  if (cart.lines.length === 0) return redirect('/cart')
  if (stage === 'address') return undefined
  if (cart.address === null) return redirect('/checkout/address')
  if (stage === 'delivery') return undefined
  const isKnown = front.deliveries.some(({ id }) => id === cart.delivery)
  return isKnown || needsNoDelivery(front, cart) ? undefined : redirect('/checkout/delivery')
}

function needsNoDelivery(front: Storefront, cart: Cart): boolean {
  return priceCart(front, cart).lines.every(({ sku }) =>
    front.products.some((product) => product.isDigital && itemsOf(product).some((item) => item.sku === sku)),
  )
}

function takeAddress(desk: Desk, front: Storefront, { visit, cart, priced }: Step): Reply {
  const read = front.address?.read(visit.form, cart) ?? readAddress(visit.form)
  if (read.kind === 'wrong')
    return page(addressPage(front, visit.form, { cart, priced, notice: noticeOf(read.messages) }))
  const { email, address } = read
  const next = needsNoDelivery(front, cart) ? '/checkout/payment' : '/checkout/delivery'
  return keepCart(desk, { ...cart, email, address }, redirect(next))
}

function takeDelivery(desk: Desk, front: Storefront, { visit, cart, priced }: Step): Reply {
  const chosen = front.deliveries.find(({ id }) => id === visit.form.get('shipping_method'))
  if (chosen === undefined) {
    const notice = noticeOf(['Please choose a shipping method.'])
    return page(deliveryPage(front, cart, { priced, notice }))
  }
  return keepCart(desk, { ...cart, delivery: chosen.id }, redirect('/checkout/payment'))
}

async function takePayment(desk: Desk, front: Storefront, { visit, cart, priced }: Step): Promise<Reply> {
  const method = visit.form.get('payment_method') ?? methodsOf(front, cart)[0]?.id ?? 'card'
  if (!methodsOf(front, cart).some(({ id }) => id === method)) {
    const notice = noticeOf(['Invalid payment method.'])
    return page(paymentPage(front, cart, { priced, notice }))
  }
  const chosen = { ...cart, method }
  return (front.pay ?? payByCard)({ desk, front, visit, cart: chosen, priced, method })
}

/** Only who ordered sees it. */
function showOrder(desk: Desk, front: Storefront, visit: Visit): Reply {
  const cart = cartOf(desk, visit)
  const order = desk.memory.orders.get(cart.orderId ?? '')
  if (order?.number !== visit.params.number || order === undefined) return notFound()
  return page(order.state === 'charging' ? processingPage(front) : confirmationPage(front, order))
}
