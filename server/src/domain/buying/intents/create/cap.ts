import { allocate, min, minorPerMajor, percentFloor } from '../../../../core/money.ts'
import type { AccountSettings } from '../../../policies/public.ts'

/** What may be charged beyond the expected merchandise. Amounts are minor units of the intent's currency. */
type CapAllowances = {
  readonly expected: bigint
  readonly feeAllowance: bigint
  readonly taxAllowance: bigint
  readonly toleranceBasisPoints: number
}

/** What fulfillment may cost: the amount in the request, otherwise the smaller of a share of the merchandise and a fixed amount. */
export function feeAllowanceOf(
  expected: bigint,
  currency: string,
  said: number | null,
  settings: AccountSettings,
): bigint {
  if (said !== null) return BigInt(said)
  const fixed = percentFloor(minorPerMajor(currency) * 100n, settings.feeCapMajorUnits)
  return min(percentFloor(expected, settings.feePercent), fixed)
}

export function taxAllowanceOf(expected: bigint, settings: AccountSettings): bigint {
  return percentFloor(expected, settings.taxPercent)
}

/** How much more than expected the merchandise may cost, rounded down. */
export function toleranceOf(expected: bigint, basisPoints: number): bigint {
  return (expected * BigInt(basisPoints)) / 10_000n
}

/** The most that may be charged before anything lowers it. */
export function fullCap(allowances: CapAllowances): bigint {
  const { expected, feeAllowance, taxAllowance, toleranceBasisPoints } = allowances
  return expected + feeAllowance + taxAllowance + toleranceOf(expected, toleranceBasisPoints)
}

type CartShare = {
  readonly maxAllowed: bigint
  readonly feeAllowance: bigint
  readonly taxAllowance: bigint
}

/**
 * Divides an intent's cap over its carts: merchandise, tax and tolerance by cart, the fee allowance in equal shares, a lowering pro
 * rata, rounding by largest remainder. The shares never sum to more than the cap.
 */
export function divideCap(
  intent: CapAllowances & { readonly cap: bigint },
  cartsExpected: readonly bigint[],
): CartShare[] {
  const fees = allocate(
    intent.feeAllowance,
    cartsExpected.map(() => 1n),
  )
  const taxes = allocate(intent.taxAllowance, cartsExpected)
  const tolerances = allocate(toleranceOf(intent.expected, intent.toleranceBasisPoints), cartsExpected)
  const full = cartsExpected.map(
    (expected, index) => expected + (fees[index] ?? 0n) + (taxes[index] ?? 0n) + (tolerances[index] ?? 0n),
  )
  const caps = lowerCaps(full, intent.cap)
  return cartsExpected.map((_, index) => ({
    maxAllowed: caps[index] ?? 0n,
    feeAllowance: fees[index] ?? 0n,
    taxAllowance: taxes[index] ?? 0n,
  }))
}

/** The caps lowered pro rata, so that they sum to at most `most`; no cap is ever raised. */
export function lowerCaps(caps: readonly bigint[], most: bigint): bigint[] {
  const sum = caps.reduce((total, cap) => total + cap, 0n)
  // guard cap-is-divided: the shares of carts never sum to more than the cap
  return sum <= most ? [...caps] : allocate(most, caps)
}

/** The terms of a cart and of its intent at another price of the merchandise. */
export type Repriced = {
  readonly cartExpected: bigint
  readonly cartTax: bigint
  readonly cartCap: bigint
  readonly intentExpected: bigint
  readonly intentTax: bigint
  readonly intentCap: bigint
}

/**
 * A cart's cap at new unit prices, within what the request and the policies allow for the whole purchase. Null: they leave less than the
 * merchandise costs.
 */
export function reprice(input: {
  intent: { expected: bigint; tax: bigint; most: bigint | null }
  cart: { expected: bigint; tax: bigint; fee: bigint; toleranceBasisPoints: number }
  otherCaps: bigint
  newExpected: bigint
}): Repriced | null {
  const { intent, cart, otherCaps, newExpected } = input
  const cartTax = cart.expected === 0n ? cart.tax : (cart.tax * newExpected) / cart.expected
  const wanted = newExpected + cart.fee + cartTax + toleranceOf(newExpected, cart.toleranceBasisPoints)
  const cartCap = intent.most === null ? wanted : min(wanted, intent.most - otherCaps)
  // guard new-price-within-the-maximum: a person is never asked about a price above the limits of the caller and the policies
  if (cartCap < newExpected) return null
  return {
    cartExpected: newExpected,
    cartTax,
    cartCap,
    intentExpected: intent.expected - cart.expected + newExpected,
    intentTax: intent.tax - cart.tax + cartTax,
    intentCap: otherCaps + cartCap,
  }
}
