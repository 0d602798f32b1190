import type { ActingContext, Tenant } from '../../../contract/context.ts'
import { type Discount, decidePromotion, type PromotedCart, type PromotionFacts } from './decide-promotion.ts'
import type { PromotionRow } from './promotion.ts'
import {
  type HeldUse,
  lockCounters,
  releaseHeldUses,
  reserveUse,
  selectHeldUses,
  selectTakenUses,
} from './redemptions.sql.ts'

/** Who buys, as the rules tell people apart. */
export type Buyer = {
  readonly profile: string
  /** Asked only where a rule needs it, as is whether nobody with this address has ordered from the merchant before. */
  email(): Promise<string>
  isFirstPurchase(): Promise<boolean>
}

export type UseRequest = {
  readonly merchant: Tenant
  /** The cart's attempt: it holds one use at most. */
  readonly id: string
  readonly cartId: string
  readonly cart: PromotedCart
  readonly buyer: Buyer
}

export type ReservedDiscount = Discount & { readonly promotionId: string }

/**
 * Holds a use of the promotion that takes most off this cart, or none where none applies; what the cart held before is given back.
 * Of two carts that want the last use, the second finds it taken. Discounts do not add up: a cart uses one promotion.
 *
 * The counters are locked after the intent, its carts and orders, and before policy counters.
 */
export async function reservePromotionUse(
  ctx: ActingContext,
  running: readonly PromotionRow[],
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
  const best = candidates
    .map((candidate) => judged(ctx, candidate, request, takenRows))
    .filter((one) => one !== null)
    .reduce<Judged | null>((most, one) => (most === null || offOf(one) > offOf(most) ? one : most), null)
  // Sent at once, in this order: what follows in this transaction counts what is written here.
  const writes = [
    ...(held.length > 0 ? [releaseHeldUses({ ...tenant, held_ids, now: ctx.now })] : []),
    ...(best ? [useOf(ctx, best, request)] : []),
  ]
  await Promise.all(writes.map((write) => ctx.tx.rows(write)))
  return best && { ...best.discount, promotionId: best.promotion.id }
}

type Candidate = { readonly promotion: PromotionRow; readonly key: string; readonly hash: Buffer }
type Judged = Candidate & { readonly discount: Discount }

function idOf(one: Candidate | HeldUse): string {
  return 'promotion' in one ? one.promotion.id : one.promotion_id
}

/** What applies as far as it can be told without a lock. */
async function candidatesOf(
  ctx: ActingContext,
  running: readonly PromotionRow[],
  request: UseRequest,
): Promise<Candidate[]> {
  const found: Candidate[] = []
  for (const promotion of running) {
    const key = await identityKey(promotion, request.buyer)
    const hash = ctx.sealer.hashToken(`promotion-identity ${request.merchant.accountId} ${key}`)
    const taken = { uses: promotion.uses, discountAmount: promotion.discount_amount }
    const identity = { key: hash.toString('hex'), uses: 0 }
    // What the cart holds itself may be what the caps lack: only the lock tells.
    const facts = { now: ctx.now, promotion: uncapped(promotion), taken, cart: request.cart, identity }
    if (decidePromotion(facts).kind === 'refused') continue
    if (promotion.identity_rule === 'first_purchase' && !(await request.buyer.isFirstPurchase())) continue
    found.push({ promotion, key: identity.key, hash })
  }
  return found
}

function uncapped(promotion: PromotionRow): PromotionFacts['promotion'] {
  return { ...promotion, caps: { total_uses: null, uses_per_identity: null, budget_amount: null } }
}

/** `first_purchase` tells people apart as `email` does. */
async function identityKey({ identity_rule }: PromotionRow, buyer: Buyer): Promise<string> {
  switch (identity_rule) {
    case 'any':
    case 'profile':
      return `profile ${buyer.profile}`
    case 'email':
    case 'first_purchase':
      return `email ${(await buyer.email()).toLowerCase()}`
    default:
      return identity_rule satisfies never
  }
}

function judged(
  ctx: ActingContext,
  candidate: Candidate,
  { cart }: UseRequest,
  rows: readonly { promotion_id: string; uses: number; discount_amount: bigint; identity_uses: number }[],
): Judged | null {
  const { promotion, key } = candidate
  const taken = rows.find(({ promotion_id }) => promotion_id === promotion.id)
  if (!taken) return null
  const verdict = decidePromotion({
    now: ctx.now,
    promotion,
    taken: { uses: taken.uses, discountAmount: taken.discount_amount },
    cart,
    identity: { key, uses: taken.identity_uses },
  })
  return verdict.kind === 'applies' ? { ...candidate, discount: verdict } : null
}

function offOf({ discount }: Judged): bigint {
  return discount.merchandise + discount.fulfillment
}

function useOf(ctx: ActingContext, best: Judged, { merchant, id, cartId, cart }: UseRequest) {
  return reserveUse({
    account_id: merchant.accountId,
    mode: merchant.mode,
    id,
    promotion_id: best.promotion.id,
    cart_id: cartId,
    arm_id: best.discount.armId,
    identity_hash: best.hash,
    currency: cart.currency,
    discount_amount: offOf(best),
    due_at: best.discount.heldUntil,
    now: ctx.now,
  })
}
