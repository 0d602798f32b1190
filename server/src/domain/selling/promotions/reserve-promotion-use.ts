import type { ActingContext, Tenant } from '../../../contract/context.ts'
import { type CountedPromotion, offOf } from './best-discount.ts'
import { withTaken } from './count-promotions.ts'
import { type Discount, decidePromotion, type PromotedCart, type PromotionFacts } from './decide-promotion.ts'
import { type Buyer, identify } from './identify.ts'
import type { RunningPromotion } from './promotion.ts'
import {
  type HeldUse,
  lockCounters,
  orderByUses,
  releaseHeldUses,
  reserveUse,
  selectHeldUses,
  selectTakenUses,
} from './redemptions.sql.ts'
import { type StackedDiscount, stackDiscounts } from './stack-discounts.ts'

type UseRequest = {
  readonly merchant: Tenant
  /** The cart's attempt. */
  readonly id: string
  readonly cartId: string
  readonly cart: PromotedCart
  readonly buyer: Buyer
  /** What the buyer names. */
  readonly codes?: readonly string[]
}

/** `useId`: by which the use is tied to the order. `code`: as it was named; null: the promotion needs none. */
export type ReservedDiscount = Discount & {
  readonly promotionId: string
  readonly useId: string
  readonly code: string | null
}

/**
 * Holds a use of each promotion that this cart gets: of those without a code the one with the largest discount, and those whose codes are
 * named. The uses that the cart held before are released. Of two carts that want the last use, the second finds it taken.
 *
 * The counters are locked after the intent, its carts and orders, and before policy counters.
 */
export async function reservePromotionUses(
  ctx: ActingContext,
  running: readonly RunningPromotion[],
  request: UseRequest,
): Promise<readonly ReservedDiscount[]> {
  if (running.length === 0) return []
  const { merchant, cartId, codes = [] } = request
  const tenant = { account_id: merchant.accountId, mode: merchant.mode }
  const candidates = await candidatesOf(ctx, running, request)
  if (candidates.length === 0) return []
  const held = await ctx.tx.rows(selectHeldUses({ ...tenant, cart_id: cartId }))
  const held_ids = held.map(({ id }) => id)
  const locked = [...new Set([...candidates, ...held].map(idOf))]
  const [, takenRows] = await Promise.all([
    // guard uses-counted-under-a-lock: of two carts that want the last use, the second finds it taken
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
  const { discounts } = stackDiscounts(withTaken(candidates, takenRows), request.cart, {
    codes,
    now: ctx.now,
  })
  const uses = discounts.map((one, index) => ({ one, useId: useIdOf(request.id, index) }))
  // Sent at once, in this order: later statements of this transaction count what is written here.
  const writes = [
    // guard own-use-given-back: a cart holds one use at most
    ...(held.length > 0 ? [releaseHeldUses({ ...tenant, held_ids, now: ctx.now })] : []),
    ...uses.map(({ one, useId }) => useOf(ctx, one, { ...request, id: useId })),
  ]
  await Promise.all(writes.map((write) => ctx.tx.rows(write)))
  return uses.map(({ one: { of, ofLines: _, ...discount }, useId }) => ({
    ...discount,
    promotionId: of.promotion.id,
    useId,
  }))
}

/** The ids of the first uses that a cart's attempt holds. */
export function useIdsOf(attempt: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => useIdOf(attempt, index))
}

/** The first use of a cart's attempt has the name of the attempt. */
function useIdOf(attempt: string, index: number): string {
  return index === 0 ? attempt : `${attempt}/${index + 1}`
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
  const cart = { ...request.cart, codes: request.codes ?? [] }
  for (const promotion of running) {
    const { key, hash } = await identify(ctx, promotion, request)
    const taken = { uses: 0, discountAmount: 0n }
    const identity = { key, uses: 0 }
    // What is used of the caps is known only under the lock.
    const facts = { now: ctx.now, promotion: uncapped(promotion), taken, cart, identity }
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
  best: StackedDiscount<Candidate & CountedPromotion>,
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

/** Ties uses that a cart's attempt holds to the order that is placed by it: all of them, or none. False: one is held no longer. */
export async function orderByPromotionUses(
  ctx: Pick<ActingContext, 'tx' | 'now'>,
  { accountId, mode }: Tenant,
  { ids, orderId }: { readonly ids: readonly string[]; readonly orderId: string },
): Promise<boolean> {
  const written = { account_id: accountId, mode, ids, order_id: orderId, now: ctx.now }
  return (await ctx.tx.rows(orderByUses(written))).length === ids.length
}
