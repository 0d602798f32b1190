import { seededRandom } from '../random.ts'

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
  journal: string
  /** How long one request may hang, and how long one wish may be asked for again and again. */
  requestMs: number
  patienceMs: number
}

/** One purchase that somebody wants, and what they do about it. Equal for equal seeds and numbers. */
export type Wish = {
  number: number
  /** Names the purchase in the service and in every idempotency key. */
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
}

const native = ['ok', 'rejected', 'error_then_ok', 'double'] as const
const shops = [
  'none',
  'lost_answer_placed',
  'lost_answer_not_placed',
  'rejected',
  'late_confirmation',
] as const

export function wishOf(order: Pick<LoadOrder, 'seed' | 'items' | 'price'>, number: number): Wish {
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
  return {
    number,
    reference: `wish-${order.seed}-${number}`,
    transport: often(0.3) ? 'mcp' : 'rest',
    items: urls.map((url) => ({
      url,
      quantity: 1,
      expected_amount: order.price.amount,
      expected_currency: order.price.currency,
    })),
    isUnattended: often(0.5),
    hasTwin: often(0.1),
    cancelAfterMs: often(0.1) ? Math.floor(random() * 1_500) : null,
    hasProfile: often(0.03),
  }
}
