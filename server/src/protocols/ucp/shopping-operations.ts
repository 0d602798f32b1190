import type { CapabilityName } from './capabilities.ts'

/** An operation of the shopping service, as both of its transports carry it. */
export type ShoppingOperation = {
  /** Its tool over MCP. */
  readonly tool: string
  readonly method: 'GET' | 'POST' | 'PUT'
  /** Below the endpoint of the business. */
  readonly path: `/${string}`
  readonly capability: CapabilityName
  /** The argument in which a tool carries the body; null: there is none. */
  readonly argument: 'catalog' | 'cart' | 'checkout' | null
  /** Whether a request without a signature is refused. One that is there must verify everywhere. */
  readonly signature: 'optional' | 'required'
}

const catalogSearch = 'dev.ucp.shopping.catalog.search'
const catalogLookup = 'dev.ucp.shopping.catalog.lookup'
const cart = 'dev.ucp.shopping.cart'
const checkout = 'dev.ucp.shopping.checkout'
const order = 'dev.ucp.shopping.order'

/** All that a business can offer; what it does offer is what its operations say. */
const shoppingOperations = {
  search_catalog: post('/catalog/search', catalogSearch, 'catalog'),
  lookup_catalog: post('/catalog/lookup', catalogLookup, 'catalog'),
  get_product: post('/catalog/product', catalogLookup, 'catalog'),
  create_cart: post('/carts', cart, 'cart'),
  get_cart: get('/carts/{id}', cart),
  update_cart: put('/carts/{id}', cart, 'cart'),
  cancel_cart: post('/carts/{id}/cancel', cart, null),
  create_checkout: post('/checkout-sessions', checkout, 'checkout'),
  get_checkout: get('/checkout-sessions/{id}', checkout),
  update_checkout: put('/checkout-sessions/{id}', checkout, 'checkout'),
  complete_checkout: signed(post('/checkout-sessions/{id}/complete', checkout, 'checkout')),
  cancel_checkout: signed(post('/checkout-sessions/{id}/cancel', checkout, null)),
  get_order: signed(get('/orders/{id}', order)),
} as const satisfies Readonly<Record<string, Omit<ShoppingOperation, 'tool'>>>

type ShoppingTool = keyof typeof shoppingOperations

export function shoppingOperation(tool: ShoppingTool): ShoppingOperation {
  return { tool, ...shoppingOperations[tool] }
}

export function isShoppingTool(name: string): name is ShoppingTool {
  return Object.hasOwn(shoppingOperations, name)
}

type Facts<M extends ShoppingOperation['method']> = Omit<ShoppingOperation, 'tool' | 'method'> & { method: M }

function post(path: `/${string}`, capability: CapabilityName, argument: ShoppingOperation['argument']) {
  return { method: 'POST', path, capability, argument, signature: 'optional' } satisfies Facts<'POST'>
}

function put(path: `/${string}`, capability: CapabilityName, argument: ShoppingOperation['argument']) {
  return { method: 'PUT', path, capability, argument, signature: 'optional' } satisfies Facts<'PUT'>
}

function get(path: `/${string}`, capability: CapabilityName) {
  return { method: 'GET', path, capability, argument: null, signature: 'optional' } satisfies Facts<'GET'>
}

function signed<M extends ShoppingOperation['method']>(facts: Facts<M>) {
  return { ...facts, signature: 'required' } satisfies Facts<M>
}
