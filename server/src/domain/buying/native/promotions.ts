import type { ActingContext, Tenant } from '../../../contract/context.ts'
import type { Goods } from '../../selling/pricing/public.ts'
import {
  isSameCode,
  orderByPromotionUses,
  type ReservedDiscount,
  type RunningPromotion,
  reservePromotionUses,
  useIdsOf,
} from '../../selling/promotions/public.ts'
import { hasOrderedBefore } from '../../trade/orders/public.ts'
import type { Offer, TriedCode } from '../channels/public.ts'
import type { NativeOfferRequest, NativePlaceRequest } from './requests.ts'

/** Holds the promotion that lowers the cart's price most, and the one whose code the buyer names, as far as they apply. */
export async function reservePromotions(
  ctx: ActingContext,
  running: readonly RunningPromotion[],
  request: NativeOfferRequest,
  { promoted }: Pick<Goods, 'promoted'>,
): Promise<readonly ReservedDiscount[]> {
  if (running.length === 0) return []
  const merchant = merchantOf(ctx, request)
  const { email } = request.buyer
  return await reservePromotionUses(ctx, running, {
    merchant,
    id: request.cartKey,
    cartId: request.cartId,
    cart: promoted,
    codes: request.promoCode === null ? [] : [request.promoCode],
    buyer: {
      profile: request.profileId,
      email,
      isFirstPurchase: async () => !(await hasOrderedBefore(ctx.reads, merchant, email)),
    },
  })
}

/** What became of the buyer's code: it is among the held promotions, or why it takes nothing off. */
export function triedCode(
  code: string | null,
  running: readonly RunningPromotion[],
  held: readonly ReservedDiscount[],
): TriedCode | null {
  if (code === null) return null
  if (held.some((one) => one.code !== null)) return { isTaken: true, message: null }
  const isKnown = running.some((one) => one.code !== null && isSameCode(one.code, code))
  const message = isKnown
    ? 'The code takes nothing off this cart: it is used up, or is for other goods, another place or a higher total.'
    : 'The merchant has no such code.'
  return { isTaken: false, message }
}

/** How an offer names the promotions that it counts on; null: none. */
export function promotedReference(held: readonly ReservedDiscount[]): string | null {
  return held.map(({ promotionId }) => promotionId).join(' ') || null
}

/**
 * Ties the held promotions to the order that is being placed. False: the offer was made with a discount whose hold has ended, because the
 * payment took longer than that.
 */
export async function orderByPromotions(
  ctx: ActingContext,
  { offer, cartId, attempt, merchantAccountId }: NativePlaceRequest,
  orderId: string,
): Promise<boolean> {
  const count = promotionsOf(offer)
  if (count === 0) return true
  return await orderByPromotionUses(ctx, merchantOf(ctx, { merchantAccountId }), {
    ids: useIdsOf(`${cartId}:${attempt}`, count),
    orderId,
  })
}

/** An offer with discounts refers to their promotions. */
function promotionsOf({ reference }: Offer): number {
  return reference?.split(' ').filter((one) => one.startsWith('promo_')).length ?? 0
}

/** The merchant that sells the goods of a cart. */
export function merchantOf(
  ctx: ActingContext,
  { merchantAccountId }: Pick<NativeOfferRequest, 'merchantAccountId'>,
): Tenant {
  return { accountId: merchantAccountId, mode: ctx.tenant.mode }
}
