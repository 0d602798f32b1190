import type { CallContext, Tenant } from '../../../contract/context.ts'
import type { CountedPromotion } from './best-discount.ts'
import { type Buyer, identify } from './identify.ts'
import type { RunningPromotion } from './promotion.ts'
import { selectTakenUses, type TakenUses } from './redemptions.sql.ts'

/**
 * How far the promotions of a merchant are used at this moment, by others and by this buyer, for a caller that wants to know what a cart
 * would get. It locks nothing and holds nothing: another cart may take the rest first.
 */
export async function countPromotions(
  ctx: Pick<CallContext, 'reads' | 'sealer'>,
  running: readonly RunningPromotion[],
  { merchant, buyer }: { readonly merchant: Tenant; readonly buyer: Buyer },
): Promise<(CountedPromotion & { readonly promotion: RunningPromotion })[]> {
  if (running.length === 0) return []
  const asked = await Promise.all(
    running.map(async (promotion) => ({
      promotion,
      ...(await identify(ctx, promotion, { merchant, buyer })),
    })),
  )
  const isForFirst = running.some(({ identity_rule }) => identity_rule === 'first_purchase')
  const [rows, isFirst] = await Promise.all([
    ctx.reads.rows(
      selectTakenUses({
        account_id: merchant.accountId,
        mode: merchant.mode,
        held_ids: [],
        ids: asked.map(({ promotion }) => promotion.id),
        identity_hashes: asked.map(({ hash }) => hash),
      }),
    ),
    isForFirst && buyer.isFirstPurchase(),
  ])
  return withTaken(asked, rows).map((one) =>
    one.promotion.identity_rule === 'first_purchase' && !isFirst ? { ...one, identity: null } : one,
  )
}

type Identified = { readonly promotion: RunningPromotion; readonly key: string }

/** Promotions with what is used of their caps. */
export function withTaken<One extends Identified>(
  identified: readonly One[],
  rows: readonly TakenUses[],
): (One & CountedPromotion)[] {
  return identified.flatMap((one) => {
    const counted = rows.find(({ promotion_id }) => promotion_id === one.promotion.id)
    if (!counted) return []
    const taken = { uses: counted.uses, discountAmount: counted.discount_amount }
    return [{ ...one, taken, identity: { key: one.key, uses: counted.identity_uses } }]
  })
}
