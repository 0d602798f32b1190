import type { ActingContext, Tenant } from '../../../contract/context.ts'
import { type BestDiscount, bestDiscount, type CountedPromotion, offOf } from './best-discount.ts'
import { withTaken } from './count-promotions.ts'
import { type Discount, decidePromotion, type PromotedCart, type PromotionFacts } from './decide-promotion.ts'
import { type Buyer, identify } from './identify.ts'
import type { RunningPromotion } from './promotion.ts'
import {
  type HeldUse,
  lockCounters,
  orderByUse,
  releaseHeldUses,
  reserveUse,
  selectHeldUses,
  selectTakenUses,
} from './redemptions.sql.ts'

type UseRequest = {
  readonly merchant: Tenant
  /** The cart's attempt: it holds at most one use. */
  readonly id: string
  readonly cartId: string
  readonly cart: PromotedCart
  readonly buyer: Buyer
}

export type ReservedDiscount = Discount & { readonly promotionId: string }

/**
 * Holds a use of the promotion with the largest discount for this cart, or none where none applies; the use that the cart held before is
 * released. Of two carts that want the last use, the second finds it taken. Discounts do not add up: a cart uses one promotion.
 *
 * The counters are locked after the intent, its carts and orders, and before policy counters.
 */
export async function reservePromotionUse(
  ctx: ActingContext,
  running: readonly RunningPromotion[],
  request: UseRequest,
): Promise<ReservedDiscount | null> {
  if (running.length === 0) return null
  const { merchant, cartId } = request
  const tenant = { account_id: merchant.accountId, mode: merchant.mode }
  const candidates = await candidatesOf(ctx, running, request)
  if (candidates.length === 0) return null
  const held = await ctx.tx.rows(selectHeldUses({ ...tenant, cart_id: cartId }))
  const held_ids = held.map(({ id }) => id)
  const locked = [...new Set([...candidates, ...held].map(idOf))]
  const [, takenRows] = await Promise.all([
    ctx.tx.rows(lockCounters({ ...tenant, ids: locked })),
    ctx.tx.rows(
      selectTakenUses({
        ...tenant,
        held_ids,
        ids: candidates.map(idOf),
        identity_hashes: candidates.map(({ hash }) => hash),
      }),
    ),
  ])
  const best = bestDiscount(withTaken(candidates, takenRows), request.cart, ctx.now)
  // Sent at once, in this order: later statements of this transaction count what is written here.
  const writes = [
    ...(held.length > 0 ? [releaseHeldUses({ ...tenant, held_ids, now: ctx.now })] : []),
    ...(best ? [useOf(ctx, best, request)] : []),
  ]
  await Promise.all(writes.map((write) => ctx.tx.rows(write)))
  if (best === null) return null
  const { of, ...discount } = best
  return { ...discount, promotionId: of.promotion.id }
}

type Candidate = { readonly promotion: RunningPromotion; readonly key: string; readonly hash: Buffer }

function idOf(one: Candidate | HeldUse): string {
  return 'promotion' in one ? one.promotion.id : one.promotion_id
}

/** The promotions that apply, as far as this can be known without a lock. */
async function candidatesOf(
  ctx: ActingContext,
  running: readonly RunningPromotion[],
  request: UseRequest,
): Promise<Candidate[]> {
  const found: Candidate[] = []
  for (const promotion of running) {
    const { key, hash } = await identify(ctx, promotion, request)
    const taken = { uses: 0, discountAmount: 0n }
    const identity = { key, uses: 0 }
    // What is used of the caps is known only under the lock.
    const facts = { now: ctx.now, promotion: uncapped(promotion), taken, cart: request.cart, identity }
    if (decidePromotion(facts).kind === 'refused') continue
    if (promotion.identity_rule === 'first_purchase' && !(await request.buyer.isFirstPurchase())) continue
    found.push({ promotion, key, hash })
  }
  return found
}

function uncapped(promotion: RunningPromotion): PromotionFacts['promotion'] {
  return { ...promotion, caps: { total_uses: null, uses_per_identity: null, budget_amount: null } }
}

function useOf(
  ctx: ActingContext,
  best: BestDiscount<Candidate & CountedPromotion>,
  { merchant, id, cartId, cart }: UseRequest,
) {
  return reserveUse({
    account_id: merchant.accountId,
    mode: merchant.mode,
    id,
    promotion_id: best.of.promotion.id,
    cart_id: cartId,
    arm_id: best.armId,
    identity_hash: best.of.hash,
    currency: cart.currency,
    discount_amount: offOf(best),
    due_at: best.heldUntil,
    now: ctx.now,
  })
}

/** Ties a use that a cart's attempt holds to the order that is placed by it. False: it is held no longer. */
export async function orderByPromotionUse(
  ctx: Pick<ActingContext, 'tx' | 'now'>,
  { accountId, mode }: Tenant,
  use: { readonly id: string; readonly orderId: string },
): Promise<boolean> {
  const written = { account_id: accountId, mode, id: use.id, order_id: use.orderId, now: ctx.now }
  return (await ctx.tx.maybe(orderByUse(written))) !== null
}
