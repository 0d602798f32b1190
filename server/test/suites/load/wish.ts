import { seededRandom, shuffled } from '../random.ts'
import { type ShopsOrder, type ShopWay, severalFirst, severalUrls, shopUrl } from './several.ts'
import { type PagesOrder, type StrangerItem, strangerItems } from './strangers.ts'

/** The order for a driver. */
export type LoadOrder = {
  seed: number
  perSecond: number
  /** The addresses of the APIs of one service. */
  bases: string[]
  /** What each of them calls itself, in the same order: signed requests name it. */
  origins: string[]
  keys: { agent: string; person: string }
  profiles: { attended: string; unattended: string }
  /** Items of native merchants by what their backend does. */
  items: Record<string, string>
  /** Where none are, other merchants of ours sell in their place. */
  hasShops: boolean
  price: { amount: number; currency: string }
  /** What merchants do besides selling; null: the wishes are purchases only. */
  trade: TradeOrder | null
  journal: string
  /** How long one request may hang, and for how long one wish is repeated. */
  requestMs: number
  patienceMs: number
}

export type TradeOrder = {
  /** Items by how their merchant's backend reacts to a request for a price. */
  quotedItems: Record<string, string>
  /** The URLs of items at a discount for the first buyers. Some of the items are never sold, so that uses are released. */
  promotedItems: { sold: string; refused: string }
  several: ShopsOrder
  /** What is bought through a browser, where there is one. */
  pages: PagesOrder | null
  /** The platform that buys over UCP at the same merchants. */
  platform: { profileUrl: string; kid: string; pem: string }
}

/** One wish of a buyer, and how it is pursued. Equal for equal seeds and numbers. */
export type Wish = {
  number: number
  kind: WishKind
  /** Names its objects in the service, and every idempotency key. */
  reference: string
  transport: 'rest' | 'mcp'
  items: object[]
  isUnattended: boolean
  /** It is requested twice at the same moment, under one key. */
  hasTwin: boolean
  /** It is cancelled this many milliseconds after its start. */
  cancelAfterMs: number | null
  /** A profile is made first, and the purchase names it. */
  hasProfile: boolean
  /** Of a quote: the item. */
  quotedItem: string | null
  /** Of a return: the amount of the first refund. */
  refundAmount: number
  /** How long its merchant has had the money by then. */
  refundAfterMs: number
  /** Of an order that its merchant reprices: the new price of its goods. */
  repricedTo: number
  /** Of a purchase from several: failed carts are retried one at a time, not together. */
  retriesByCart: boolean
  /** Of a purchase from several: how often two of its merchants refund something, in turns. */
  refundTurns: number
  /** Of a checkout over UCP: at which merchant, and how that takes the order. */
  checkout: { shop: ShopsOrder['shops'][number]; way: ShopWay } | null
}

type WishKind =
  | 'purchase'
  | 'promoted'
  | 'quote'
  | 'return'
  | 'reprice'
  | 'several'
  | 'sale'
  | 'token'
  | 'stranger'
  | 'page'

/** The kinds of any twenty wishes in a row, in an order that the seed chooses. */
const deck: readonly WishKind[] = [
  ...Array.from({ length: 4 }, () => 'purchase' as const),
  ...(['stranger', 'stranger', 'stranger'] as const),
  ...(['promoted', 'promoted', 'promoted', 'quote', 'quote', 'return', 'return', 'reprice'] as const),
  ...(['several', 'several', 'sale', 'sale', 'token'] as const),
]

const native = ['ok', 'rejected', 'error_then_ok', 'double'] as const
const shops = [
  'none',
  'lost_answer_placed',
  'lost_answer_not_placed',
  'rejected',
  'late_confirmation',
] as const

/** With a letter between: the two numbers together could be a card's. */
const referenceOf = (seed: number, number: number) => `wish-${seed}-n${number}`

type Given = Pick<LoadOrder, 'seed' | 'items' | 'hasShops' | 'price' | 'trade'>

export function wishOf(order: Given, number: number): Wish {
  const random = seededRandom(order.seed * 7_919 + number)
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)]
  const often = (share: number) => random() < share
  const fromNative = () => order.items[(often(0.6) ? 'ok' : pick(native)) ?? 'ok'] ?? ''
  const fromOther = () => order.items.other_merchant ?? ''
  const fromShop = () =>
    order.hasShops
      ? `https://shop-${Math.floor(random() * 5)}.example/thing?scenario=${often(0.5) ? 'none' : pick(shops)}`
      : fromOther()
  const kinds = [
    () => [fromNative()],
    () => [fromShop()],
    () => [fromNative(), fromShop()],
    () => [fromNative(), fromOther()],
  ]
  const urls = (often(0.4) ? kinds[0] : pick(kinds))?.() ?? []
  const kind = order.trade === null ? 'purchase' : kindOf(order.seed, number, order.trade)
  const itemOf = (url: string, amount = order.price.amount) => ({
    url,
    quantity: 1,
    expected_amount: amount,
    expected_currency: order.price.currency,
  })
  const wish: Wish = {
    number,
    kind,
    reference: referenceOf(order.seed, number),
    transport: often(0.3) ? 'mcp' : 'rest',
    items: urls.map((url) => itemOf(url)),
    isUnattended: often(0.5),
    hasTwin: often(0.1),
    cancelAfterMs: often(0.1) ? Math.floor(random() * 1_500) : null,
    hasProfile: often(0.03),
    quotedItem: null,
    refundAmount: 1 + Math.floor(random() * (order.price.amount - 2)),
    refundAfterMs: Math.floor(random() * 6_000),
    repricedTo: 1 + Math.floor(random() * (order.price.amount - 1)),
    retriesByCart: often(0.5),
    refundTurns: often(0.5) ? 3 : 0,
    checkout: null,
  }
  const ofStrangers = (all: readonly StrangerItem[]) => all.map(({ url, amount }) => itemOf(url, amount))
  const { trade } = order
  switch (kind) {
    case 'purchase':
      return wish
    case 'promoted': {
      const { sold = '', refused = '' } = trade?.promotedItems ?? {}
      return { ...wish, items: [itemOf(often(0.75) ? sold : refused)] }
    }
    case 'quote': {
      const quotedItem = trade?.quotedItems[(often(0.6) ? 'ok' : pick(native)) ?? 'ok'] ?? null
      return { ...wish, quotedItem }
    }
    case 'return':
      return { ...wish, items: [itemOf(order.items.ok ?? '')], hasTwin: often(0.5) }
    case 'reprice':
      return { ...wish, items: [itemOf(order.items.late ?? '')] }
    case 'several': {
      const several = trade?.several ?? { price: 0, shops: [] }
      const first = number < returnsFirst + severalFirst ? number - returnsFirst : null
      const itemUrls = severalUrls(several, { reference: wish.reference, first }, random)
      return { ...wish, items: itemUrls.map((url) => itemOf(url, several.price)) }
    }
    case 'sale':
    case 'token': {
      const several = trade?.several ?? { price: 0, shops: [] }
      const shop = pick(several.shops)
      if (!shop) throw new Error('there is no merchant that sells over UCP')
      const way = often(0.75) ? 'ok' : 'out_of_stock'
      const items = [itemOf(shopUrl(shop.domain, way), several.price)]
      return { ...wish, items, cancelAfterMs: null, checkout: { shop, way } }
    }
    case 'stranger': {
      // Beside a merchant of ours in every second purchase: what happens at one of them changes nothing at the others.
      const ours = often(0.5) ? [itemOf(fromNative())] : []
      return { ...wish, items: [...ours, ...ofStrangers(strangerItems(random))] }
    }
    case 'page':
      return { ...wish, items: ofStrangers(trade?.pages ? [trade.pages.item] : []), cancelAfterMs: null }
    default:
      return kind satisfies never
  }
}

/** Bought before the first blow, so that there is money to refund when it comes. */
const returnsFirst = 10

function kindOf(seed: number, number: number, { pages }: TradeOrder): WishKind {
  if (pages?.numbers.includes(number)) return 'page'
  if (number < returnsFirst) return 'return'
  if (number < returnsFirst + severalFirst) return 'several'
  const dealt = shuffled(deck, seededRandom(seed * 104_729 + Math.floor(number / deck.length)))
  return dealt[number % deck.length] ?? 'purchase'
}
