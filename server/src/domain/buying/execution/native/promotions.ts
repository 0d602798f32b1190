import type { ActingContext, Reads, Tenant } from '../../../../contract/context.ts'
import type { ResolvedUrl } from '../../../selling/catalog/public.ts'
import {
  orderByUse,
  type PromotionRow,
  type ReservedDiscount,
  reservePromotionUse,
  selectRunningPromotions,
} from '../../../selling/promotions/public.ts'
import { selectEarlierOrder } from '../../../trade/orders/public.ts'
import type { Offer, OfferLine } from '../port.ts'
import type { NativeOfferRequest, NativePlaceRequest } from './requests.ts'

/** What the cart's merchant offers at the moment, beside its catalog: read together with that, since nearly nobody offers anything. */
export async function readPromotions(
  { accountId: account_id, mode }: Tenant,
  reads: Pick<Reads, 'rows'>,
): Promise<PromotionRow[]> {
  return await reads.rows(selectRunningPromotions({ account_id, mode }))
}

type Priced = {
  readonly found: readonly (ResolvedUrl | null)[]
  readonly lines: readonly OfferLine[]
  readonly subtotal: bigint
  readonly fulfillment: bigint
  /** The merchant's market that the cart goes to. */
  readonly marketId: string | null
}

/** Holds the promotion that takes most off what the cart costs; null where none does. */
export async function reservePromotion(
  ctx: ActingContext,
  running: readonly PromotionRow[],
  request: NativeOfferRequest,
  { found, lines, subtotal, fulfillment, marketId }: Priced,
): Promise<ReservedDiscount | null> {
  if (running.length === 0) return null
  const merchant = merchantOf(ctx, request)
  const email = async () => (await request.buyer()).email
  return await reservePromotionUse(ctx, running, {
    merchant,
    id: request.cartKey,
    cartId: request.cartId,
    cart: {
      lines: lines.map((line, index) => ({
        itemId: line.listing?.itemId ?? '',
        categories: found[index]?.item?.categories ?? [],
        unitAmount: line.unitAmount,
        quantity: line.quantity,
      })),
      subtotal,
      fulfillment,
      currency: request.currency,
      marketId,
    },
    buyer: {
      profile: request.profileId,
      email,
      async isFirstPurchase() {
        const { accountId: merchant_account_id, mode } = merchant
        const who = { merchant_account_id, mode, email: await email() }
        return !(await ctx.reads.maybe(selectEarlierOrder(who)))?.has_ordered
      },
    },
  })
}

/**
 * Ties what was held to the order that is being placed. False: the offer was made with a discount that is held no longer, because
 * paying took longer than that.
 */
export async function orderByPromotion(
  ctx: ActingContext,
  { offer, cartId, attempt, merchantAccountId }: NativePlaceRequest,
  orderId: string,
): Promise<boolean> {
  if (!isPromoted(offer)) return true
  const { accountId: account_id, mode } = merchantOf(ctx, { merchantAccountId })
  const use = { account_id, mode, id: `${cartId}:${attempt}`, order_id: orderId, now: ctx.now }
  return (await ctx.tx.maybe(orderByUse(use))) !== null
}

/** An offer with a promotion's discount refers to the promotion. */
function isPromoted({ reference }: Offer): boolean {
  return reference?.startsWith('promo_') ?? false
}

/** Whose goods a cart is of. */
export function merchantOf(
  ctx: ActingContext,
  { merchantAccountId }: Pick<NativeOfferRequest, 'merchantAccountId'>,
): Tenant {
  return { accountId: merchantAccountId, mode: ctx.tenant.mode }
}
