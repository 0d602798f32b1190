import type { ActingContext, Tenant } from '../../../../contract/context.ts'
import type { Goods } from '../../../selling/pricing/public.ts'
import {
  orderByPromotionUse,
  type ReservedDiscount,
  type RunningPromotion,
  reservePromotionUse,
} from '../../../selling/promotions/public.ts'
import { hasOrderedBefore } from '../../../trade/orders/public.ts'
import type { Offer } from '../port.ts'
import type { NativeOfferRequest, NativePlaceRequest } from './requests.ts'

/** Holds the promotion that lowers the cart's price most; null where none does. */
export async function reservePromotion(
  ctx: ActingContext,
  running: readonly RunningPromotion[],
  request: NativeOfferRequest,
  { promoted }: Pick<Goods, 'promoted'>,
): Promise<ReservedDiscount | null> {
  if (running.length === 0) return null
  const merchant = merchantOf(ctx, request)
  const email = async () => (await request.buyer()).email
  return await reservePromotionUse(ctx, running, {
    merchant,
    id: request.cartKey,
    cartId: request.cartId,
    cart: promoted,
    buyer: {
      profile: request.profileId,
      email,
      isFirstPurchase: async () => !(await hasOrderedBefore(ctx.reads, merchant, await email())),
    },
  })
}

/**
 * Ties the held promotion to the order that is being placed. False: the offer was made with a discount whose hold has ended, because the
 * payment took longer than that.
 */
export async function orderByPromotion(
  ctx: ActingContext,
  { offer, cartId, attempt, merchantAccountId }: NativePlaceRequest,
  orderId: string,
): Promise<boolean> {
  if (!isPromoted(offer)) return true
  return await orderByPromotionUse(ctx, merchantOf(ctx, { merchantAccountId }), {
    id: `${cartId}:${attempt}`,
    orderId,
  })
}

/** An offer with a promotion's discount refers to the promotion. */
function isPromoted({ reference }: Offer): boolean {
  return reference?.startsWith('promo_') ?? false
}

/** The merchant that sells the goods of a cart. */
export function merchantOf(
  ctx: ActingContext,
  { merchantAccountId }: Pick<NativeOfferRequest, 'merchantAccountId'>,
): Tenant {
  return { accountId: merchantAccountId, mode: ctx.tenant.mode }
}
