import { createHash } from 'node:crypto'
import { min } from '../../../core/money.ts'
import { statusAt } from './machine.ts'
import type { Arm, PromotionRow } from './promotion.ts'

/** One line of a cart, with its price in the catalog. */
export type PromotedLine = {
  readonly itemId: string
  readonly categories: readonly string[]
  readonly unitAmount: bigint
  readonly quantity: number
  /** What other promotions have taken off already. */
  readonly taken?: bigint
}

export type PromotedCart = {
  readonly lines: readonly PromotedLine[]
  readonly subtotal: bigint
  readonly fulfillment: bigint
  readonly currency: string
  /** The market of the buyer's address; null where the merchant has none for it. */
  readonly marketId: string | null
  /** The codes that the buyer names. */
  readonly codes?: readonly string[]
}

/** The identity that would use it: `key` tells one from another by the promotion's rule; null where the rule excludes the buyer. */
type Identity = { readonly key: string; readonly uses: number }

export type PromotionFacts = {
  readonly now: Date
  readonly promotion: Pick<
    PromotionRow,
    | 'id'
    | 'status'
    | 'starts_at'
    | 'ends_at'
    | 'market_id'
    | 'currency'
    | 'identity_rule'
    | 'arms'
    | 'caps'
    | 'targets'
    | 'code'
  >
  /** What is used of the caps, by carts other than this one. */
  readonly taken: { readonly uses: number; readonly discountAmount: bigint }
  readonly cart: PromotedCart
  readonly identity: Identity | null
}

export const refusalReasons = [
  'not_active',
  'code_not_named',
  'wrong_currency',
  'wrong_market',
  'identity_not_eligible',
  'not_targeted',
  'below_min_subtotal',
  'no_discount',
  'total_uses_reached',
  'identity_uses_reached',
  'budget_reached',
] as const
export type RefusalReason = (typeof refusalReasons)[number]

/** The discount of a promotion: on the merchandise, on which tax is computed, or on the fulfillment fee. */
export type Discount = {
  readonly kind: 'applies'
  readonly armId: string
  readonly merchandise: bigint
  readonly fulfillment: bigint
  /** Until when the offer is held. */
  readonly heldUntil: Date
}

type PromotionVerdict = Discount | { readonly kind: 'refused'; readonly reasons: readonly RefusalReason[] }

/**
 * Whether a promotion applies to a cart, and its discount; otherwise all reasons why it does not apply. The discount is never more than
 * the price of what it applies to, and all or nothing: the rest of a budget is not given out in part.
 */
export function decidePromotion(facts: PromotionFacts): PromotionVerdict {
  const { promotion, taken, cart, identity, now } = facts
  const { caps, targets } = promotion
  // A first purchase is made once, whatever the caps say.
  const perIdentity = promotion.identity_rule === 'first_purchase' ? 1 : caps.uses_per_identity
  const arm = identity ? armFor(promotion, identity.key) : null
  const lines = cart.lines.filter((line) => isTargeted(promotion, line))
  const off = arm ? discountOf(arm, lines, cart) : { merchandise: 0n, fulfillment: 0n }
  const discount = off.merchandise + off.fulfillment
  const checks: Record<RefusalReason, boolean> = {
    // guard promotion-only-while-active: a promotion that is paused, over or not begun is not offered
    not_active: statusAt(promotion, now) !== 'active',
    code_not_named: promotion.code !== null && !isNamed(promotion.code, cart.codes ?? []),
    wrong_currency: promotion.currency !== cart.currency,
    wrong_market: promotion.market_id !== null && promotion.market_id !== cart.marketId,
    identity_not_eligible: identity === null,
    not_targeted: lines.length === 0,
    below_min_subtotal: cart.subtotal < BigInt(targets.min_subtotal_amount ?? 0),
    no_discount: identity !== null && lines.length > 0 && discount === 0n,
    // guard promotion-total-uses: a promotion is used as often as it may be
    total_uses_reached: caps.total_uses !== null && taken.uses >= caps.total_uses,
    // guard promotion-uses-of-one: one person does not use a promotion more often than it allows
    identity_uses_reached: perIdentity !== null && identity !== null && identity.uses >= perIdentity,
    // guard promotion-budget: discounts come to no more than their budget
    budget_reached:
      caps.budget_amount !== null && taken.discountAmount + discount > BigInt(caps.budget_amount),
  }
  const reasons = refusalReasons.filter((reason) => checks[reason])
  if (reasons.length > 0 || arm === null) return { kind: 'refused', reasons }
  const heldUntil = new Date(now.getTime() + (arm.ttl_minutes ?? 0) * 60_000)
  return { kind: 'applies', armId: arm.id, ...off, heldUntil }
}

/** Always the same arm for the same identity, and each arm for its share of all identities. */
export function armFor({ id, arms }: Pick<PromotionRow, 'id' | 'arms'>, identity: string): Arm | null {
  const total = arms.reduce((sum, { weight }) => sum + BigInt(weight), 0n)
  if (total === 0n) return null
  let left =
    BigInt(`0x${createHash('sha256').update(`${id} ${identity}`).digest('hex').slice(0, 16)}`) % total
  for (const arm of arms) {
    left -= BigInt(arm.weight)
    if (left < 0n) return arm
  }
  return null
}

function isNamed(code: string, named: readonly string[]): boolean {
  return named.some((one) => isSameCode(one, code))
}

/** People type codes in any case. */
export function isSameCode(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

export function isTargeted({ targets }: Pick<PromotionRow, 'targets'>, line: PromotedLine): boolean {
  const { catalog_item_ids: ids, categories } = targets
  if (ids.length === 0 && categories.length === 0) return true
  return ids.includes(line.itemId) || line.categories.some((category) => categories.includes(category))
}

function discountOf(
  { kind, value }: Arm,
  lines: readonly PromotedLine[],
  cart: PromotedCart,
): { merchandise: bigint; fulfillment: bigint } {
  const price = lines.reduce((sum, line) => sum + leftOf(line), 0n)
  const given = BigInt(value ?? 0)
  switch (kind) {
    case 'percent':
      // Rounded down, in the merchant's favor, once for the whole and not line by line.
      return { merchandise: min((price * given) / 10_000n, price), fulfillment: 0n }
    case 'amount':
      // guard discount-within-the-price: no discount is above the price that it is taken off
      return { merchandise: min(given, price), fulfillment: 0n }
    case 'fixed_price': {
      const off = lines.map((line) => {
        const fixed = given * BigInt(line.quantity)
        return leftOf(line) > fixed ? leftOf(line) - fixed : 0n
      })
      return { merchandise: off.reduce((sum, one) => sum + one, 0n), fulfillment: 0n }
    }
    case 'free_fulfillment':
      return { merchandise: 0n, fulfillment: lines.length > 0 ? cart.fulfillment : 0n }
    default:
      return kind satisfies never
  }
}

/** What a line still costs. */
export function leftOf({ unitAmount, quantity, taken = 0n }: PromotedLine): bigint {
  return unitAmount * BigInt(quantity) - taken
}
