import type { Arm, PromotionRow } from './promotion.ts'

type Terms = Pick<PromotionRow, 'currency' | 'starts_at' | 'ends_at' | 'arms'>

/** Everything that a promotion lacks before it can be offered, in words. Empty: it can be published. */
export function gapsOf(terms: Terms, now: Date): string[] {
  const { currency, starts_at, ends_at, arms } = terms
  return [
    ...(currency === null ? ['`currency` is missing'] : []),
    ...(ends_at !== null && ends_at <= now ? ['`ends_at` is in the past'] : []),
    ...(starts_at !== null && ends_at !== null && ends_at <= starts_at
      ? ['`ends_at` is not after `starts_at`']
      : []),
    ...(arms.length === 0 ? ['`arms` is empty'] : []),
    ...(arms.length > 0 && arms.every(({ weight }) => weight === 0) ? ['every arm has the weight 0'] : []),
    ...arms.flatMap(armGaps),
  ]
}

function armGaps({ id, kind, value, ttl_minutes }: Arm): string[] {
  const name = `arm ${id}`
  return [
    ...(ttl_minutes === null ? [`${name} has no \`ttl_minutes\``] : []),
    ...(kind === 'free_fulfillment' && value !== null ? [`${name} takes no \`value\``] : []),
    ...(kind !== 'free_fulfillment' && value === null ? [`${name} has no \`value\``] : []),
    ...(kind === 'percent' && value !== null && (value < 1 || value > 10_000)
      ? [`${name} is not between 1 and 10000 basis points`]
      : []),
    ...(kind === 'amount' && value === 0 ? [`${name} takes nothing off`] : []),
  ]
}
