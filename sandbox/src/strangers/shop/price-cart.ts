import type { Cart } from './cart.ts'
import { findItem, type Product } from './goods.ts'

type PricedLine = { sku: string; name: string; unit: number; quantity: number; amount: number }

/** What a cart costs as far as the shop knows by now: delivery and tax are null before there is an address. */
export type Priced = {
  currency: string
  lines: readonly PricedLine[]
  subtotal: number
  discount: number
  delivery: number | null
  /** A fee that a shop adds, with its name. */
  fee: { name: string; amount: number } | null
  tax: number | null
  total: number
}

type Delivery = { id: string; name: string; promise: string; price: number }

export type Tariff = {
  products: readonly Product[]
  currency: string
  deliveries: readonly Delivery[]
  taxPercent: number
  /** Prices are shown with tax, as consumers in Europe see them. */
  isTaxIncluded: boolean
  promo: { code: string; percent: number } | null
}

export function priceCart(tariff: Tariff, cart: Cart): Priced {
  const lines = cart.lines.flatMap(({ sku, quantity }) => {
    const item = findItem(tariff.products, sku)
    if (item === undefined) return []
    return [{ sku, name: item.name, unit: item.price, quantity, amount: item.price * quantity }]
  })
  const hasPromo = tariff.promo !== null && cart.promo === tariff.promo.code
  const subtotal = lines.reduce((sum, line) => sum + line.amount, 0)
  const discount = hasPromo ? Math.floor((subtotal * (tariff.promo?.percent ?? 0)) / 100) : 0
  return totalOf(tariff, cart, { currency: tariff.currency, lines, subtotal, discount, fee: null })
}

/** The totals of these lines: also of lines that a shop has changed. */
export function totalOf(
  tariff: Tariff,
  cart: Cart,
  priced: Omit<Priced, 'delivery' | 'tax' | 'total'>,
): Priced {
  const { subtotal, discount, fee } = priced
  const isDigital = priced.lines.every(({ sku }) => findItem(tariff.products, sku)?.product.isDigital)
  const chosen = tariff.deliveries.find(({ id }) => id === cart.delivery)
  const delivery = isDigital ? 0 : cart.address === null ? null : (chosen?.price ?? null)
  const goods = subtotal - discount + (fee?.amount ?? 0) + (delivery ?? 0)
  const tax = taxOf(tariff, cart, goods)
  const total = goods + (tariff.isTaxIncluded ? 0 : (tax ?? 0))
  return { ...priced, delivery, tax, total }
}

function taxOf({ isTaxIncluded, taxPercent }: Tariff, cart: Cart, goods: number): number | null {
  if (isTaxIncluded) return goods - Math.round((goods * 100) / (100 + taxPercent))
  return cart.address === null ? null : Math.floor((goods * taxPercent) / 100)
}
