import type { Static } from 'typebox'
import type { CallContext } from '../../../contract/context.ts'
import { invalid, Problem } from '../../../contract/problem.ts'
import { Changes } from '../../../contract/schemas.ts'
import { normalizeCurrency } from '../../../schema/formats.ts'
import { readItem } from '../catalog/public.ts'
import { requireMarkets } from '../markets/public.ts'
import { type Arm, type ArmWrite, PromotionFields, type PromotionRow, promotionRules } from './promotion.ts'

export const PromotionUpdate = Changes(PromotionFields)
export type PromotionUpdate = Static<typeof PromotionUpdate>

/** The terms of a promotion after a caller's change: members of `caps` and `targets` that are left out stay. */
export function termsAfter(
  row: Pick<PromotionRow, 'caps' | 'targets'>,
  { currency, starts_at, ends_at, arms, caps, identity, targets, ...fields }: PromotionUpdate,
): Partial<PromotionRow> {
  return {
    ...fields,
    ...(currency === undefined ? {} : { currency: currency === null ? null : normalizeCurrency(currency) }),
    ...(starts_at === undefined ? {} : { starts_at: instant(starts_at) }),
    ...(ends_at === undefined ? {} : { ends_at: instant(ends_at) }),
    ...(arms === undefined ? {} : { arms: armsOf(arms) }),
    ...(caps === undefined ? {} : { caps: { ...row.caps, ...caps } }),
    ...(identity === undefined ? {} : { identity_rule: identity.rule }),
    ...(targets === undefined ? {} : { targets: { ...row.targets, ...targets } }),
  }
}

/** The objects that the terms name must be the caller's. */
export async function checkNamed(ctx: CallContext, { market_id, targets }: PromotionUpdate): Promise<void> {
  const ids = [...new Set(targets?.catalog_item_ids ?? [])]
  const [items] = await Promise.all([
    Promise.all(ids.map((id) => readItem(ctx.reads, ctx.tenant, id))),
    requireMarkets(ctx, market_id ? [market_id] : [], 'market_id'),
  ])
  if (items.includes(null)) throw new Problem('not_found', { param: 'targets.catalog_item_ids' })
}

function armsOf(written: readonly ArmWrite[]): Arm[] {
  const arms = written.map((arm, index) => ({
    id: arm.id ?? `arm_${index + 1}`,
    kind: arm.kind,
    value: arm.value ?? null,
    ttl_minutes: arm.ttl_minutes ?? null,
    weight: arm.weight ?? 1,
  }))
  const twice = arms.findIndex(({ id }, index) => arms.findIndex((arm) => arm.id === id) < index)
  if (twice >= 0) throw invalid(['body', 'arms', twice, 'id'], promotionRules.twice)
  return arms
}

/** Times are kept to the millisecond, which is as exact as they are shown. */
function instant(written: string | null): Date | null {
  return written === null ? null : new Date(written)
}
