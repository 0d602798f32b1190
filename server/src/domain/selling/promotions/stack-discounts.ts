import { allocate } from '../../../core/money.ts'
import { type BestDiscount, bestDiscount, type CountedPromotion } from './best-discount.ts'
import {
  type Discount,
  decidePromotion,
  isSameCode,
  isTargeted,
  leftOf,
  type PromotedCart,
  type RefusalReason,
} from './decide-promotion.ts'

/** A discount of a cart that uses several promotions, with what each line has of it, in the order of the lines. */
export type StackedDiscount<Counted extends CountedPromotion> = BestDiscount<Counted> & {
  /** As it was sent; null: the promotion needs none. */
  readonly code: string | null
  readonly ofLines: readonly bigint[]
}

/** A code without a discount, by its place among the codes that were sent. */
export type RejectedCode = { readonly index: number; readonly why: 'unknown' | 'twice' | RefusalReason }

/**
 * The best promotion that needs no code, and after it each promotion whose code is named, in their order. Each is computed on what those
 * before it have left, so together they are never more than the price.
 */
export function stackDiscounts<Counted extends CountedPromotion>(
  counted: readonly Counted[],
  cart: PromotedCart,
  { codes, now }: { readonly codes: readonly string[]; readonly now: Date },
): { readonly discounts: readonly StackedDiscount<Counted>[]; readonly rejected: readonly RejectedCode[] } {
  const discounts: StackedDiscount<Counted>[] = []
  const rejected: RejectedCode[] = []
  let left = cart
  const take = (best: BestDiscount<Counted>, code: string | null) => {
    const ofLines = sharesOf(best, left, best.of)
    discounts.push({ ...best, code, ofLines })
    left = without(left, best, ofLines)
  }
  const automatic = bestDiscount(counted, { ...left, codes: [] }, now)
  if (automatic) take(automatic, null)
  for (const [index, code] of codes.entries()) {
    const isTwice = codes.slice(0, index).some((before) => isSameCode(before, code))
    const named = isTwice ? [] : counted.filter(({ promotion }) => isSameCode(promotion.code ?? '', code))
    const best = bestDiscount(named, { ...left, codes: [code] }, now)
    if (best) take(best, code)
    else rejected.push({ index, why: isTwice ? 'twice' : whyNot(named, { ...left, codes: [code] }, now) })
  }
  return { discounts, rejected }
}

/** What several discounts take off together. */
export function sumOfDiscounts(
  discounts: readonly Pick<Discount, 'merchandise' | 'fulfillment'>[],
): Pick<Discount, 'merchandise' | 'fulfillment'> {
  return discounts.reduce(
    (all, one) => ({
      merchandise: all.merchandise + one.merchandise,
      fulfillment: all.fulfillment + one.fulfillment,
    }),
    { merchandise: 0n, fulfillment: 0n },
  )
}

function sharesOf(
  { merchandise }: Discount,
  { lines }: PromotedCart,
  { promotion }: CountedPromotion,
): readonly bigint[] {
  return allocate(
    merchandise,
    lines.map((line) => (isTargeted(promotion, line) ? leftOf(line) : 0n)),
  )
}

function without(cart: PromotedCart, { fulfillment }: Discount, ofLines: readonly bigint[]): PromotedCart {
  const lines = cart.lines.map((line, index) => ({
    ...line,
    taken: (line.taken ?? 0n) + (ofLines[index] ?? 0n),
  }))
  return { ...cart, lines, fulfillment: cart.fulfillment - fulfillment }
}

function whyNot(
  [first]: readonly CountedPromotion[],
  cart: PromotedCart,
  now: Date,
): 'unknown' | RefusalReason {
  if (!first) return 'unknown'
  const verdict = decidePromotion({ now, cart, ...first })
  return verdict.kind === 'refused' ? (verdict.reasons[0] ?? 'unknown') : 'unknown'
}
