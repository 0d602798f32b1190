import { isObject } from '../../fields.ts'
import { freshCart, newId } from '../shop/desk.ts'
import { priceCart } from '../shop/price-cart.ts'
import { type Answer, type Call, refusal } from './call.ts'
import { discountsOf, linesOf, metadata, totalsOf } from './checkout-document.ts'
import { isKnownCode } from './checkout-state.ts'
import { readWanted, refusedGoods, type Wanted } from './read-checkout.ts'
import { storefront, type UcpShop } from './ucp-shop.ts'

/** What a platform collects before it is known where it goes. */
type Kept = {
  id: string
  host: string
  agent: string
  wanted: Wanted
  isCanceled: boolean
  /** The checkout that was made of it last. */
  checkoutId: string | null
  expiresAt: string
}

const openHours = 24

export function createCart(shop: UcpShop, call: Call): Answer {
  const wanted = readWanted(call.body, call.agreed.capabilities)
  const refused = refusedGoods(call, wanted)
  if (refused !== undefined) return refused
  const kept: Kept = {
    id: newId('cart'),
    host: call.face.host,
    agent: call.platform.url,
    wanted,
    isCanceled: false,
    checkoutId: null,
    expiresAt: new Date(Date.now() + openHours * 3_600_000).toISOString(),
  }
  keep(shop, kept)
  return answerWith(call, kept, 201)
}

export function getCart(shop: UcpShop, call: Call): Answer {
  const kept = ownCart(shop, call, call.id)
  return kept === undefined ? noSuchCart(call) : answerWith(call, kept)
}

export function updateCart(shop: UcpShop, call: Call): Answer {
  const kept = ownCart(shop, call, call.id)
  if (kept === undefined) return noSuchCart(call)
  const wanted = readWanted(call.body, call.agreed.capabilities)
  const refused = refusedGoods(call, wanted)
  if (refused !== undefined) return refused
  const changed = { ...kept, wanted }
  keep(shop, changed)
  return answerWith(call, changed)
}

/** The answer is what it was. */
export function cancelCart(shop: UcpShop, call: Call): Answer {
  const kept = ownCart(shop, call, call.id)
  if (kept === undefined) return noSuchCart(call)
  keep(shop, { ...kept, isCanceled: true })
  return answerWith(call, kept)
}

/** The body of a checkout that is made of a cart: what the cart says counts. */
export function bodyFromCart(
  shop: UcpShop,
  call: Call,
):
  | { kind: 'body'; body: Call['body']; checkoutId: string | null; cartId: string | null }
  | { kind: 'missing' } {
  const { cart_id: id, ...body } = call.body
  if (typeof id !== 'string' || !call.agreed.capabilities.includes('dev.ucp.shopping.cart'))
    return { kind: 'body', body, checkoutId: null, cartId: null }
  const kept = ownCart(shop, call, id)
  if (kept === undefined) return { kind: 'missing' }
  const { lines, buyer, codes } = kept.wanted
  const merged = {
    ...body,
    line_items: lines.map(({ sku, quantity }) => ({ item: { id: sku }, quantity })),
    buyer: Object.keys(buyer).length > 0 ? buyer : body.buyer,
    discounts: codes.length > 0 ? { codes } : isObject(body.discounts) ? body.discounts : {},
  }
  return { kind: 'body', body: merged, checkoutId: kept.checkoutId, cartId: id }
}

export function noteCheckout(shop: UcpShop, call: Call, of: { cartId: string; checkoutId: string }): void {
  const kept = ownCart(shop, call, of.cartId)
  if (kept !== undefined) keep(shop, { ...kept, checkoutId: of.checkoutId })
}

export function noSuchCart({ agreed }: Call): Answer {
  return refusal(agreed, 'not_found', 'There is no such cart.', 404)
}

function answerWith({ agreed }: Call, { id, host, wanted, expiresAt }: Kept, status = 200): Answer {
  const { lines, buyer, codes } = wanted
  const promo = codes.some(isKnownCode) ? (storefront.promo?.code ?? null) : null
  const priced = priceCart(storefront, { ...freshCart(null), lines, promo })
  const body = {
    ucp: metadata(agreed, ['cart', 'discount']),
    id,
    line_items: linesOf(priced),
    ...(Object.keys(buyer).length > 0 ? { buyer } : {}),
    currency: priced.currency,
    totals: totalsOf(priced, agreed.release),
    ...(agreed.capabilities.includes('dev.ucp.shopping.discount')
      ? { discounts: discountsOf({ codes }, priced) }
      : {}),
    messages: [],
    links: [{ type: 'terms_of_service', url: `https://${host}/` }],
    expires_at: expiresAt,
  }
  return { status, body }
}

function ownCart({ desk }: UcpShop, { platform, face }: Call, id: string | null): Kept | undefined {
  const text = desk.memory.notes.get(noteOf(id ?? ''))
  if (text === undefined) return undefined
  // Written by `keep` alone, from values of this type.
  const kept = JSON.parse(text) as Kept
  const isOwn = kept.agent === platform.url && kept.host === face.host
  return isOwn && !kept.isCanceled && Date.now() < Date.parse(kept.expiresAt) ? kept : undefined
}

function keep({ desk }: UcpShop, kept: Kept): void {
  desk.memory.commit({ kind: 'note', name: noteOf(kept.id), value: JSON.stringify(kept) })
}

function noteOf(id: string): string {
  return `cart:${id}`
}
