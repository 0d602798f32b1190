import { type Answer, type Call, refusal } from './call.ts'
import { cancelCart, createCart, getCart, updateCart } from './carts.ts'
import { getProduct, lookupCatalog, searchCatalog } from './catalog.ts'
import { cancelCheckout, createCheckout, getCheckout, updateCheckout } from './checkouts.ts'
import { completeCheckout } from './complete-checkout.ts'
import { orderDocument } from './order-document.ts'
import { findSession } from './session.ts'
import type { UcpShop } from './ucp-shop.ts'

export type Operation = {
  method: 'GET' | 'POST' | 'PUT'
  /** Below the endpoint. */
  path: string
  tool: string
  /** The argument of the tool that is the body over REST. */
  argument: 'checkout' | 'cart' | 'catalog' | null
  capability: string
  /** Over which transports a key must make it repeatable. */
  keyed: 'always' | 'rest' | 'never'
  run: (shop: UcpShop, call: Call) => Answer | Promise<Answer>
}

const checkout = { argument: 'checkout', capability: 'dev.ucp.shopping.checkout' } as const
const cart = { argument: 'cart', capability: 'dev.ucp.shopping.cart' } as const
const catalog = { argument: 'catalog', method: 'POST', keyed: 'never' } as const
const lookup = { ...catalog, capability: 'dev.ucp.shopping.catalog.lookup' }
const search = { ...catalog, capability: 'dev.ucp.shopping.catalog.search' }

/** What the shop can be asked over either transport. */
export const operations: readonly Operation[] = [
  {
    ...checkout,
    method: 'POST',
    path: '/checkout-sessions',
    tool: 'create_checkout',
    keyed: 'rest',
    run: createCheckout,
  },
  {
    ...checkout,
    method: 'GET',
    path: '/checkout-sessions/:id',
    tool: 'get_checkout',
    argument: null,
    keyed: 'never',
    run: getCheckout,
  },
  {
    ...checkout,
    method: 'PUT',
    path: '/checkout-sessions/:id',
    tool: 'update_checkout',
    keyed: 'rest',
    run: updateCheckout,
  },
  {
    ...checkout,
    method: 'POST',
    path: '/checkout-sessions/:id/complete',
    tool: 'complete_checkout',
    keyed: 'always',
    run: completeCheckout,
  },
  {
    ...checkout,
    method: 'POST',
    path: '/checkout-sessions/:id/cancel',
    tool: 'cancel_checkout',
    argument: null,
    keyed: 'always',
    run: cancelCheckout,
  },
  { ...cart, method: 'POST', path: '/carts', tool: 'create_cart', keyed: 'rest', run: createCart },
  {
    ...cart,
    method: 'GET',
    path: '/carts/:id',
    tool: 'get_cart',
    argument: null,
    keyed: 'never',
    run: getCart,
  },
  { ...cart, method: 'PUT', path: '/carts/:id', tool: 'update_cart', keyed: 'rest', run: updateCart },
  {
    ...cart,
    method: 'POST',
    path: '/carts/:id/cancel',
    tool: 'cancel_cart',
    argument: null,
    keyed: 'always',
    run: cancelCart,
  },
  {
    method: 'GET',
    path: '/orders/:id',
    tool: 'get_order',
    argument: null,
    capability: 'dev.ucp.shopping.order',
    keyed: 'never',
    run: getOrder,
  },
  { ...search, path: '/catalog/search', tool: 'search_catalog', run: searchCatalog },
  { ...lookup, path: '/catalog/lookup', tool: 'lookup_catalog', run: lookupCatalog },
  { ...lookup, path: '/catalog/product', tool: 'get_product', run: getProduct },
]

/** An order is there for the platform that placed it. */
function getOrder(shop: UcpShop, { id, platform, agreed }: Call): Answer {
  const order = shop.desk.memory.orders.get(id ?? '')
  const session = order && findSession(shop.desk, order.cartId)
  if (order === undefined || session?.agent !== platform.url || session.orderedOn === null)
    return refusal(agreed, 'not_found', 'There is no such order.', 404)
  return {
    status: 200,
    body: orderDocument(shop, session, order, agreed),
    checkoutId: session.id,
  }
}
