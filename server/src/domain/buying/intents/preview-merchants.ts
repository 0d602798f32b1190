import type { Mode } from '../../../contract/context.ts'
import { min, percentFloor, toWire } from '../../../core/money.ts'
import { type PricedCart, type PriceParts, type Refused, totalOf } from '../../selling/pricing/public.ts'
import { divideCap } from './cap.ts'
import type { Cart, Offer } from './cart.ts'
import { basisPoints } from './decide-create.ts'
import type { FailureCode } from './failure.ts'
import type { PurchasePlan } from './plan-purchase.ts'
import type { PreviewCart } from './preview-carts.ts'
import { type CartPromo, decidedPromo, untriedPromo } from './promo-code.ts'

type MerchantPreview = {
  domain: string
  name: string
  supported: boolean
  channel: Cart['channel'] | null
  offer: Offer | null
  promo_code: CartPromo | null
  problems: { item: number; code: FailureCode }[]
}

// What the simulated shops of test mode charge beyond the merchandise, at most.
const simulatedFeeMax = 500n
const simulatedTaxPercent = 8

/**
 * What is known of each merchant of a purchase without a question to the outside: the catalogs that we hold, and the rules of test mode.
 */
export function previewMerchants(
  plan: PurchasePlan,
  carts: readonly PreviewCart[],
  { mode, now, promoCode }: { mode: Mode; now: Date; promoCode: string | null },
): MerchantPreview[] {
  const shares = divideCap(
    {
      expected: plan.expected,
      feeAllowance: plan.verdict.feeAllowance,
      taxAllowance: plan.allowances.tax,
      toleranceBasisPoints: basisPoints(plan.verdict.tolerancePercent),
      cap: plan.cap,
    },
    carts.map(expectedOf),
  )
  return carts.map((cart, index) => {
    const facts = { plan, mode, now, promoCode, feeAllowance: shares[index]?.feeAllowance ?? 0n }
    return cart.price ? nativeMerchant(cart, cart.price, facts) : otherMerchant(cart, facts)
  })
}

/** The offers of several merchants as one; null when one of them is not known. */
export function sumOffers(offers: readonly (Offer | null)[]): Offer | null {
  return offers.reduce((sum, offer) => {
    if (!sum || !offer) return null
    return {
      subtotal: sum.subtotal + offer.subtotal,
      fulfillment: sum.fulfillment + offer.fulfillment,
      tax: sum.tax + offer.tax,
      discount: sum.discount + offer.discount,
      total: sum.total + offer.total,
      as_of: offer.as_of,
    }
  })
}

type Facts = { plan: PurchasePlan; mode: Mode; now: Date; promoCode: string | null; feeAllowance: bigint }

function nativeMerchant(
  { lines, merchant }: PreviewCart,
  price: PricedCart | Refused,
  { feeAllowance, now, promoCode }: Facts,
): MerchantPreview {
  const isDear = price.kind === 'priced' && price.fulfillment > feeAllowance
  return {
    domain: merchant?.domain ?? lines[0]?.item.domain ?? '',
    name: merchant?.name ?? merchant?.domain ?? '',
    supported: true,
    channel: 'native',
    offer: price.kind === 'priced' ? offerOf(price, now) : null,
    promo_code:
      price.kind === 'priced'
        ? decidedPromo(promoCode, { isTaken: price.rejected.length === 0, message: null })
        : untriedPromo(promoCode),
    problems:
      price.kind === 'refused'
        ? price.refusals.map(({ line, code }) => ({ item: lines[line]?.index ?? 0, code }))
        : lines.flatMap(({ index }) => (isDear ? [{ item: index, code: 'fulfillment_fee_exceeded' }] : [])),
  }
}

function otherMerchant(
  cart: PreviewCart,
  { plan, mode, now, promoCode, feeAllowance }: Facts,
): MerchantPreview {
  const { lines } = cart
  const domain = lines[0]?.item.domain ?? ''
  if (mode === 'live') {
    return {
      domain,
      name: domain,
      supported: false,
      channel: null,
      offer: null,
      promo_code: untriedPromo(promoCode),
      problems: lines.map(({ index }) => ({ item: index, code: 'merchant_unsupported' })),
    }
  }
  const subtotal = expectedOf(cart)
  const fulfillment = plan.fulfillment.method === 'ship' ? min(simulatedFeeMax, feeAllowance) : 0n
  const tax = percentFloor(subtotal, simulatedTaxPercent)
  const offer = offerOf({ subtotal, fulfillment, tax, discount: 0n }, now)
  return {
    domain,
    name: domain,
    supported: true,
    channel: 'simulated',
    offer,
    promo_code: untriedPromo(promoCode),
    problems: [],
  }
}

function offerOf(parts: PriceParts, now: Date): Offer {
  return {
    subtotal: toWire(parts.subtotal),
    fulfillment: toWire(parts.fulfillment),
    tax: toWire(parts.tax),
    discount: toWire(parts.discount),
    total: toWire(totalOf(parts)),
    as_of: now.toISOString(),
  }
}

function expectedOf({ lines }: PreviewCart): bigint {
  return lines.reduce((sum, { item }) => sum + BigInt(item.unit_amount) * BigInt(item.quantity), 0n)
}
