import type { PlainRate, Rate, Tier, TierBasis } from './rate.ts'
import type { Skip } from './skip.ts'

/** The measures of a shipment that a rate can depend on. */
export type Measures = {
  readonly orderValue: bigint
  readonly itemCount: number
  /** Null when the weight of an item is not known. */
  readonly weightGrams: number | null
  readonly distanceKm: number | null
  /** One for each item. */
  readonly labels: readonly (string | null)[]
}

type Charge = { readonly amount: bigint; readonly explanation: string }

/** The fee of a rate, or why the rate does not apply to this shipment. */
export function chargeOf(rate: Rate, measures: Measures): Charge | Skip {
  if (rate.kind !== 'free_above') return plainCharge(rate, measures)
  const { threshold_amount: threshold, otherwise } = rate
  if (measures.orderValue >= BigInt(threshold))
    return {
      amount: 0n,
      explanation: `Free: the order value of ${measures.orderValue} reaches ${threshold}, in minor units.`,
    }
  const charge = plainCharge(otherwise, measures)
  if ('code' in charge) return charge
  return {
    ...charge,
    explanation: `${charge.explanation} Orders with a value of ${threshold} or more in minor units are free.`,
  }
}

function plainCharge(rate: PlainRate, measures: Measures): Charge | Skip {
  switch (rate.kind) {
    case 'free':
      return { amount: 0n, explanation: 'Free.' }
    case 'flat':
      return { amount: BigInt(rate.amount), explanation: 'One amount for every order.' }
    case 'tiered':
      return rate.basis === 'label'
        ? labelCharge(rate.tiers, measures.labels)
        : steppedCharge(rate.basis, rate.tiers, measures)
    default:
      return rate satisfies never
  }
}

function steppedCharge(
  basis: Exclude<TierBasis, 'label'>,
  tiers: readonly Tier[],
  measures: Measures,
): Charge | Skip {
  const measured = measureOf(basis, measures)
  if ('code' in measured) return measured
  const tier = tiers.find(({ up_to }) => (up_to ?? null) === null || measured.value <= (up_to ?? 0))
  if (!tier) return { code: 'no_tier', message: `No tier covers ${measured.name}.` }
  const end = (tier.up_to ?? null) === null ? 'without end' : `up to ${tier.up_to}`
  const name = tier.label === undefined ? '' : ` (${tier.label})`
  return { amount: BigInt(tier.amount), explanation: `The tier ${end}${name} covers ${measured.name}.` }
}

function measureOf(
  basis: Exclude<TierBasis, 'label'>,
  measures: Measures,
): { value: number; name: string } | Skip {
  switch (basis) {
    case 'weight': {
      const { weightGrams: value } = measures
      if (value === null)
        return {
          code: 'weight_unknown',
          message: 'It charges by weight, but the weight of an item is not known.',
        }
      return { value, name: `a weight of ${value} g` }
    }
    case 'distance': {
      const { distanceKm: value } = measures
      if (value === null)
        return {
          code: 'distance_unknown',
          message: 'It charges by distance, but the distance to this address is not known.',
        }
      return { value, name: `a distance of ${Math.round(value * 10) / 10} km` }
    }
    case 'order_value': {
      // Far below the integers that a number holds exactly: an order is at most 10^12.
      const value = Number(measures.orderValue)
      return { value, name: `an order value of ${value} in minor units` }
    }
    case 'item_count':
      return {
        value: measures.itemCount,
        name: `${measures.itemCount} ${measures.itemCount === 1 ? 'item' : 'items'}`,
      }
    default:
      return basis satisfies never
  }
}

/** Of the labels in an order the most expensive counts, once. */
function labelCharge(tiers: readonly Tier[], labels: readonly (string | null)[]): Charge | Skip {
  let dearest: { tier: Tier; label: string | null } | null = null
  for (const label of labels) {
    const tier = tiers.find(
      (each) => each.label === undefined || each.label.toLowerCase() === label?.toLowerCase(),
    )
    if (!tier) {
      const what = label === null ? 'an item without a fulfillment label' : `the fulfillment label ${label}`
      return { code: 'no_tier', message: `No tier covers ${what}.` }
    }
    if (dearest === null || tier.amount > dearest.tier.amount) dearest = { tier, label }
  }
  if (dearest === null) return { code: 'no_tier', message: 'No tier covers an order without items.' }
  const { tier, label } = dearest
  const name = tier.label ?? 'for all other labels'
  return {
    amount: BigInt(tier.amount),
    explanation: `The tier ${name} covers ${label === null ? 'items without a label' : `the label ${label}`}, the most expensive in the order.`,
  }
}
