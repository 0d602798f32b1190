import type { Means } from '../shop/card-processor.ts'
import type { Cart } from '../shop/cart.ts'
import type { Desk } from '../shop/desk.ts'
import { type Priced, priceCart } from '../shop/price-cart.ts'
import type { Storefront } from '../storefront/storefront.ts'
import { usualTerms } from '../storefront/usual-terms.ts'
import type { ShopKeys } from './keys.ts'
import type { Platforms } from './platforms.ts'
import { cartOfSession, type Session } from './session.ts'
import { products, type Story, storyOf } from './stories.ts'

/** What the shop works with besides its desk. */
export type UcpShop = {
  desk: Desk
  keys: ShopKeys
  platforms: Platforms
  /** Tokens of checkouts that wait for a bank. They stay in this process, and a restart forgets them. */
  waiting: Map<string, Means>
}

export const storefront: Storefront = {
  ...usualTerms,
  look: { title: 'Protocol & Sons', tagline: 'Speaks to agents', lang: 'en', accent: '#2f5d8a' },
  products,
  productsAt: '/products',
  promo: { code: 'WELCOME10', percent: 10 },
}

/** What a checkout costs by now. */
export function priceOf({ desk }: UcpShop, session: Session): Priced {
  const cart = cartOfSession(desk, session)
  const { raisedBy = 0, shows } = storyOf(cart.lines)
  if (shows !== undefined) return priceInstead(shows, cart)
  if (!session.isRaised) return priceCart(storefront, cart)
  return priceRaised(raisedBy, cart)
}

const dearerAtPage = 600

/** What a cart costs at the pages of the shop. */
export function priceAtPage(priced: Priced, cart: Cart): Priced {
  switch (storyOf(cart.lines).atPage) {
    case 'dearer':
      return priceRaised(dearerAtPage, cart)
    case 'others':
      return priceInstead('others', cart)
    default:
      return priced
  }
}

function priceRaised(by: number, cart: Cart): Priced {
  const dearer = products.map((product) => ({ ...product, price: product.price + by }))
  return priceCart({ ...storefront, products: dearer }, cart)
}

function priceInstead(shows: NonNullable<Story['shows']>, cart: Cart): Priced {
  switch (shows) {
    case 'twice':
      return priceCart(storefront, {
        ...cart,
        lines: cart.lines.map((line) => ({ ...line, quantity: 2 * line.quantity })),
      })
    case 'euros':
      return { ...priceCart(storefront, cart), currency: 'EUR' }
    case 'others': {
      const priced = priceCart(storefront, cart)
      const other = { sku: 'refurbished', name: 'Refurbished item' }
      return { ...priced, lines: priced.lines.map((line) => ({ ...line, ...other })) }
    }
    default:
      return shows satisfies never
  }
}
