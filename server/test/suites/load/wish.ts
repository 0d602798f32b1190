import { seededRandom, shuffled } from '../random.ts'
import { type ShopsOrder, severalFirst, severalUrls } from './several.ts'

/** What a driver wants of a service. */
export type LoadOrder = {
  seed: number
  perSecond: number
  /** Where the APIs are, each a way to the same service. */
  bases: string[]
  keys: { agent: string; person: string }
  profiles: { attended: string; unattended: string }
  /** Items of native merchants by what their backend does. */
  items: Record<string, string>
  price: { amount: number; currency: string }
  /** What merchants do besides selling; null: purchases alone are wanted. */
  trade: TradeOrder | null
  journal: string
  /** How long one request may hang, and how long one wish may be asked for again and again. */
  requestMs: number
  patienceMs: number
}

export type TradeOrder = {
  /** Items by what their merchant's backend does when it is asked for a price. */
  quotedItems: Record<string, string>
  /** The URLs of what is sold at a discount to the first who come; of the others some are never sold, so that uses come back. */
  promotedItems: { sold: string; refused: string }
  several: ShopsOrder
}

/** One thing that somebody wants, and what they do about it. Equal for equal seeds and numbers. */
export type Wish = {
  number: number
  kind: WishKind
  /** Names what comes of it in the service and in every idempotency key. */
  reference: string
  transport: 'rest' | 'mcp'
  items: object[]
  isUnattended: boolean
  /** Asked for twice at the same moment, under one key. */
  hasTwin: boolean
  /** Called off so many milliseconds after it was set going. */
  cancelAfterMs: number | null
  /** A profile is made first, and the purchase is for that one. */
  hasProfile: boolean
  /** Of a quote: the item that a price is asked for. */
  quotedItem: string | null
  /** Of a return: what goes back first. */
  refundAmount: number
  /** How long its merchant has had the money by then. */
  refundAfterMs: number
  /** Of an order that its merchant makes cheaper: what its goods then cost. */
  repricedTo: number
  /** Of a purchase from several: what failed is tried again one cart at a time, not as a whole. */
  retriesByCart: boolean
  /** Of a purchase from several: how often two of its merchants give something back, in turns. */
  refundTurns: number
}

export type WishKind = 'purchase' | 'promoted' | 'quote' | 'return' | 'reprice' | 'several'

/** What twenty wishes that follow each other are of, in an order that the seed chooses. */
const deck: readonly WishKind[] = [
  ...Array.from({ length: 10 }, () => 'purchase' as const),
  ...(['promoted', 'promoted', 'promoted', 'quote', 'quote', 'return', 'return', 'reprice'] as const),
  ...(['several', 'several'] as const),
]

const native = ['ok', 'rejected', 'error_then_ok', 'double'] as const
const shops = [
  'none',
  'lost_answer_placed',
  'lost_answer_not_placed',
  'rejected',
  'late_confirmation',
] as const

export function wishOf(order: Pick<LoadOrder, 'seed' | 'items' | 'price' | 'trade'>, number: number): Wish {
  const random = seededRandom(order.seed * 7_919 + number)
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)]
  const often = (share: number) => random() < share
  const fromNative = () => order.items[(often(0.6) ? 'ok' : pick(native)) ?? 'ok'] ?? ''
  const fromOther = () => order.items.other_merchant ?? ''
  const fromShop = () =>
    `https://shop-${Math.floor(random() * 5)}.example/thing?scenario=${often(0.5) ? 'none' : pick(shops)}`
  const kinds = [
    () => [fromNative()],
    () => [fromShop()],
    () => [fromNative(), fromShop()],
    () => [fromNative(), fromOther()],
  ]
  const urls = (often(0.4) ? kinds[0] : pick(kinds))?.() ?? []
  const kind = order.trade === null ? 'purchase' : kindOf(order.seed, number)
  const itemOf = (url: string, amount = order.price.amount) => ({
    url,
    quantity: 1,
    expected_amount: amount,
    expected_currency: order.price.currency,
  })
  const wish: Wish = {
    number,
    kind,
    reference: `wish-${order.seed}-${number}`,
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
  }
  const { trade } = order
  switch (kind) {
    case 'purchase':
      return wish
    case 'promoted': {
      const { sold = '', refused = '' } = trade?.promotedItems ?? {}
      return { ...wish, items: [itemOf(often(0.75) ? sold : refused)] }
    }
    case 'quote':
      return {
        ...wish,
        quotedItem: trade?.quotedItems[(often(0.6) ? 'ok' : pick(native)) ?? 'ok'] ?? null,
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
    default:
      return kind satisfies never
  }
}

/** Bought before anything happens to anybody, so that there is something to give back when it does. */
const returnsFirst = 10

function kindOf(seed: number, number: number): WishKind {
  if (number < returnsFirst) return 'return'
  if (number < returnsFirst + severalFirst) return 'several'
  const dealt = shuffled(deck, seededRandom(seed * 104_729 + Math.floor(number / deck.length)))
  return dealt[number % deck.length] ?? 'purchase'
}
