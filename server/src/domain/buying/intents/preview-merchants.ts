import type { Tenant } from '../../../contract/context.ts'
import { min, percentFloor, toWire } from '../../../core/money.ts'
import type { ResolvedUrl } from '../../selling/catalog/public.ts'
import { findVariant, stockFor } from '../../selling/catalog/public.ts'
import { divideCap } from './cap.ts'
import type { Cart, Offer } from './cart.ts'
import { basisPoints } from './decide-create.ts'
import type { FailureCode } from './failure.ts'
import type { IntentItem } from './intent.ts'
import type { PurchasePlan } from './plan-purchase.ts'
import { type PreviewRates, previewFulfillment } from './preview-fulfillment.ts'
import type { Quoted } from './quoted-terms.ts'

export type MerchantPreview = {
  domain: string
  name: string
  supported: boolean
  channel: Cart['channel'] | null
  offer: Offer | null
  problems: { item: number; code: FailureCode }[]
}

type Line = { index: number; item: IntentItem; resolved: ResolvedUrl | null }

// What the simulated shops of test mode ask beyond the merchandise.
const simulatedFeeMax = 500n
const simulatedTaxPercent = 8

/** What is known of each merchant of a purchase without asking anybody: the catalogs we hold, and the rules of test mode. */
export function previewMerchants(
  plan: PurchasePlan,
  facts: { resolved: readonly (ResolvedUrl | null)[]; rates: PreviewRates; tenant: Tenant; now: Date },
): MerchantPreview[] {
  if (plan.quoted) return [quotedMerchant(plan.quoted, facts.now)]
  const groups = new Map<string, Line[]>()
  plan.items.forEach((item, index) => {
    const resolved = facts.resolved[index] ?? null
    const key = resolved ? resolved.merchant.account_id : item.domain
    groups.set(key, [...(groups.get(key) ?? []), { index, item, resolved }])
  })
  const carts = [...groups.values()]
  const shares = divideCap(
    {
      expected: plan.expected,
      feeAllowance: plan.verdict.feeAllowance,
      taxAllowance: plan.allowances.tax,
      toleranceBasisPoints: basisPoints(plan.verdict.tolerancePercent),
      cap: plan.cap,
    },
    carts.map((lines) => expectedOf(lines)),
  )
  return carts.map((lines, index) => {
    const [first] = lines
    const fee = shares[index]?.feeAllowance ?? 0n
    if (first?.resolved) return nativeMerchant(lines, first.resolved, { plan, fee, ...facts })
    return otherMerchant(lines, { plan, fee, ...facts })
  })
}

/** The offers of several merchants as one; null as soon as one is not known. */
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

function nativeMerchant(
  lines: readonly Line[],
  { merchant }: ResolvedUrl,
  facts: { plan: PurchasePlan; fee: bigint; rates: PreviewRates; now: Date },
): MerchantPreview {
  const { plan, now } = facts
  const priced = lines.map((line) => ({ line, price: nativePrice(line, plan.currency) }))
  const unsold = priced.flatMap(({ line, price }) =>
    typeof price === 'string' ? [{ item: line.index, code: price }] : [],
  )
  const subtotal = priced.reduce((sum, { price }) => (typeof price === 'bigint' ? sum + price : sum), 0n)
  const tax = (subtotal * BigInt(merchant.tax_basis_points)) / 10_000n
  const fulfillment = unsold.length > 0 ? null : previewFulfillment(plan, lines, facts)
  const isDear = fulfillment?.kind === 'fee' && fulfillment.amount > facts.fee
  const undelivered =
    fulfillment?.kind === 'undeliverable'
      ? fulfillment.lines.map((at) => ({
          item: lines[at]?.index ?? 0,
          code: 'address_undeliverable' as const,
        }))
      : []
  const dear = isDear
    ? lines.map(({ index }) => ({ item: index, code: 'fulfillment_fee_exceeded' as const }))
    : []
  return {
    domain: merchant.domain ?? lines[0]?.item.domain ?? '',
    name: merchant.name ?? merchant.domain ?? '',
    supported: true,
    channel: 'native',
    offer:
      fulfillment?.kind === 'fee' ? offerOf({ subtotal, fulfillment: fulfillment.amount, tax, now }) : null,
    problems: [...unsold, ...undelivered, ...dear],
  }
}

/** What the catalog asks for a line in all, or why it cannot be sold. */
function nativePrice({ item, resolved }: Line, currency: string): bigint | FailureCode {
  if (!resolved?.item) return 'product_not_found'
  const variant = findVariant(resolved.item, item.variant)
  if (variant === 'required') return 'variant_required'
  if (variant === 'not_found' || variant.price === null) return 'product_not_found'
  if (variant.currency !== null && variant.currency !== currency) return 'unsupported_currency'
  const stock = stockFor(variant, item.quantity)
  return stock === 'available' ? BigInt(variant.price) * BigInt(item.quantity) : stock
}

/** Whoever quoted sells for what was quoted. */
function quotedMerchant({ merchant, total }: Quoted, now: Date): MerchantPreview {
  return {
    domain: merchant.domain,
    name: merchant.name ?? merchant.domain,
    supported: true,
    channel: 'native',
    offer: offerOf({ subtotal: total, fulfillment: 0n, tax: 0n, now }),
    problems: [],
  }
}

function otherMerchant(
  lines: readonly Line[],
  facts: { plan: PurchasePlan; fee: bigint; tenant: Tenant; now: Date },
): MerchantPreview {
  const domain = lines[0]?.item.domain ?? ''
  if (facts.tenant.mode === 'live') {
    return {
      domain,
      name: domain,
      supported: false,
      channel: null,
      offer: null,
      problems: lines.map(({ index }) => ({ item: index, code: 'merchant_unsupported' })),
    }
  }
  const subtotal = expectedOf(lines)
  const fulfillment = facts.plan.fulfillment.method === 'ship' ? min(simulatedFeeMax, facts.fee) : 0n
  const tax = percentFloor(subtotal, simulatedTaxPercent)
  const offer = offerOf({ subtotal, fulfillment, tax, now: facts.now })
  return { domain, name: domain, supported: true, channel: 'simulated', offer, problems: [] }
}

function offerOf(parts: { subtotal: bigint; fulfillment: bigint; tax: bigint; now: Date }): Offer {
  return {
    subtotal: toWire(parts.subtotal),
    fulfillment: toWire(parts.fulfillment),
    tax: toWire(parts.tax),
    discount: 0,
    total: toWire(parts.subtotal + parts.fulfillment + parts.tax),
    as_of: parts.now.toISOString(),
  }
}

function expectedOf(lines: readonly Line[]): bigint {
  return lines.reduce((sum, { item }) => sum + BigInt(item.unit_amount) * BigInt(item.quantity), 0n)
}
