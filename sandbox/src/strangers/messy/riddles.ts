import type { Address, Cart } from '../shop/cart.ts'
import { cartOf, type Desk, keepCart, withItem } from '../shop/desk.ts'
import type { Product } from '../shop/goods.ts'
import { claimCart, keepOrder, openOrder } from '../shop/place-order.ts'
import { priceCart, type Tariff } from '../shop/price-cart.ts'
import { type Fill, html } from '../web/html.ts'
import { notFound, page, type Reply, redirect, type Visit } from '../web/site.ts'
import { riddleAddressPage, riddleBagPage, riddleEndPage, riddlePage } from './riddle-pages.ts'

/** The second one has buttons that order at once, on account. */
export const riddles: readonly Product[] = [
  { handle: '7734', name: 'Glow Lamp Riddle', description: 'guess', price: 2599 },
  { handle: '7735', name: 'Glow Lamp Trap', description: 'guess well', price: 2599 },
]

export function isRiddle({ lines }: Pick<Cart, 'lines'>): boolean {
  return lines.some(({ sku }) => riddles.some(({ handle }) => handle === sku))
}

function isTrap({ lines }: Pick<Cart, 'lines'>): boolean {
  return lines.some(({ sku }) => sku === '7735')
}

export function showRiddle(product: Product): Reply {
  return page(riddlePage(product, product.handle === '7735'))
}

export function takeRiddle(desk: Desk, visit: Visit): Reply {
  const product = riddles.find(({ handle }) => handle === visit.params.id)
  if (product === undefined) return notFound()
  return keepCart(desk, withItem(cartOf(desk, visit), product.handle, 1), redirect('/bag'), 'added')
}

export function riddleBag(tariff: Tariff, cart: Cart): Reply {
  return page(riddleBagPage(priceCart(tariff, cart)))
}

export function riddleAddress(cart: Cart, messages: readonly string[] = []): Reply {
  return page(riddleAddressPage(messages, isTrap(cart)))
}

/** Where everything was understood, it goes on as with the other goods, or to the end of the trap. */
export function takeRiddleAddress(
  desk: Desk,
  { cart, address, email, form }: { cart: Cart; address: Address; email: string; form: URLSearchParams },
): Reply {
  const said = [address.name, address.line1, address.city, address.postalCode, email, form.get('f9') ?? '']
  if (said.includes('') || !email.includes('@')) return riddleAddress(cart, ['hm?'])
  const next = isTrap(cart) ? '/nearly' : '/co/2'
  return keepCart(desk, { ...cart, email, address, delivery: 'standard' }, redirect(next))
}

/** What is shown of the answers, line by line, as on a parcel. */
export function riddleGoesTo({ address, email }: Cart): Fill {
  if (address === null) return null
  const { name, line1, city, region, postalCode } = address
  return html`<div class="ln"><address>${name}<br>${line1}<br>${city}, ${region} ${postalCode}<br>${email}</address></div>`
}

export function showEnd(tariff: Tariff, cart: Cart): Reply {
  return cart.address === null ? redirect('/co/1') : page(riddleEndPage(priceCart(tariff, cart)))
}

/** An order on account, for whoever pressed the button. */
export async function orderNow(desk: Desk, tariff: Tariff, visit: Visit): Promise<Reply> {
  const known = cartOf(desk, visit)
  const wanted = visit.form.get('i')
  const cart = wanted === null ? known : withItem(known, wanted, 1)
  if (!isTrap(cart)) return notFound()
  const order = await openOrder(desk, {
    cart,
    priced: priceCart(tariff, cart),
    method: 'invoice',
    isPaidElsewhere: true,
  })
  claimCart(desk, cart, order)
  keepOrder(desk, { ...order, state: 'unpaid' }, 'confirmed:invoice')
  return redirect(`/done/${order.number}`)
}
