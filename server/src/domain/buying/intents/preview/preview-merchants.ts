import type { Mode } from '../../../../contract/context.ts'
import { min, percentFloor } from '../../../../core/money.ts'
import { type PricedCart, type PriceParts, type Refused, totalOf } from '../../../selling/pricing/public.ts'
import { type Offer, renderOffer } from '../cart.ts'
import { divideCap } from '../create/cap.ts'
import { basisPoints } from '../create/decide-create.ts'
import type { PurchasePlan } from '../create/plan-purchase.ts'
import { type CartPromo, decidedPromo, untriedPromo } from '../create/promo-code.ts'
import { shopOfAll } from '../read/purchase-facts.ts'
import type { PreviewCart } from './preview-carts.ts'
import type { CartLooks } from './preview-looks.ts'
import { type MerchantPreview, notSeen, type ShopPreview } from './preview-shape.ts'
import { siteMerchant } from './preview-site.ts'

// What the simulated shops of test mode charge beyond the merchandise, at most.
const simulatedFeeMax = 500n
const simulatedTaxPercent = 8

type Around = {
  readonly mode: Mode
  readonly now: Date
  readonly looks: CartLooks
  readonly feeAllowances: readonly bigint[]
  readonly promoCode: string | null
}

/**
 * What is known of each merchant of a purchase: from the catalogs that we hold, from looks at shops elsewhere, and by the rules of test
 * mode.
 */
export function previewMerchants(
  plan: PurchasePlan,
  carts: readonly PreviewCart[],
  around: Around,
): MerchantPreview[] {
  return carts.map((cart, index) => ({
    ...shopPreview(plan, cart, index, around),
    promo_code: promoOf(cart, around.promoCode),
  }))
}

function shopPreview(
  plan: PurchasePlan,
  cart: PreviewCart,
  index: number,
  { mode, now, looks, feeAllowances }: Around,
): ShopPreview {
  const feeAllowance = feeAllowances[index] ?? 0n
  const { site, price } = cart
  if (price) return nativeMerchant(cart, price, { now, feeAllowance })
  if (site)
    return siteMerchant(cart, site, {
      look: looks.get(index) ?? null,
      mode,
      currency: plan.currency,
      feeAllowance,
    })
  return otherMerchant(cart, { plan, mode, now, feeAllowance })
}

/** What would become of the code: a shop elsewhere is only asked when something is bought there. */
function promoOf({ price }: PreviewCart, promoCode: string | null): CartPromo | null {
  return price?.kind === 'priced'
    ? decidedPromo(promoCode, { isTaken: price.rejected.length === 0, message: null })
    : untriedPromo(promoCode)
}

/** What fulfillment may cost in each cart. */
export function feeAllowancesOf(plan: PurchasePlan, carts: readonly PreviewCart[]): bigint[] {
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
  return carts.map((_, index) => shares[index]?.feeAllowance ?? 0n)
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
      // The oldest of them.
      as_of: sum.as_of < offer.as_of ? sum.as_of : offer.as_of,
    }
  })
}

function nativeMerchant(
  { lines, merchant }: PreviewCart,
  price: PricedCart | Refused,
  { feeAllowance, now }: { feeAllowance: bigint; now: Date },
): ShopPreview {
  const isDear = price.kind === 'priced' && price.fulfillment > feeAllowance
  return {
    domain: merchant?.domain ?? lines[0]?.item.domain ?? '',
    name: merchant?.name ?? merchant?.domain ?? '',
    supported: true,
    channel: 'native',
    ...notSeen,
    offer: price.kind === 'priced' ? offerOf(price, now) : null,
    problems:
      price.kind === 'refused'
        ? price.refusals.map(({ line, code }) => ({ item: lines[line]?.index ?? 0, code }))
        : lines.flatMap(({ index }) => (isDear ? [{ item: index, code: 'fulfillment_fee_exceeded' }] : [])),
  }
}

type Facts = { plan: PurchasePlan; mode: Mode; now: Date; feeAllowance: bigint }

function otherMerchant(cart: PreviewCart, { plan, mode, now, feeAllowance }: Facts): ShopPreview {
  const { lines } = cart
  const domain = shopOfAll(lines.map(({ item }) => item))
  if (mode === 'live') {
    return {
      domain,
      name: domain,
      supported: false,
      channel: null,
      ...notSeen,
      problems: lines.map(({ index }) => ({ item: index, code: 'merchant_unsupported' })),
    }
  }
  const subtotal = expectedOf(cart)
  const fulfillment = plan.fulfillment.method === 'ship' ? min(simulatedFeeMax, feeAllowance) : 0n
  const tax = percentFloor(subtotal, simulatedTaxPercent)
  const offer = offerOf({ subtotal, fulfillment, tax, discount: 0n }, now)
  return { domain, name: domain, supported: true, channel: 'simulated', ...notSeen, offer }
}

function offerOf(parts: PriceParts, now: Date): Offer {
  return renderOffer({ ...parts, total: totalOf(parts) }, now)
}

function expectedOf({ lines }: PreviewCart): bigint {
  return lines.reduce((sum, { item }) => sum + BigInt(item.unit_amount) * BigInt(item.quantity), 0n)
}
