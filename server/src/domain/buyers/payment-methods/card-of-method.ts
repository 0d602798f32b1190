import type { CardBrand } from '../../../contract/card-brands.ts'
import type { ActingContext } from '../../../contract/context.ts'
import { type PaymentMethod, renderPaymentMethod } from './payment-method.ts'
import { type CardOfMethod, selectCardOfMethod, selectPaymentMethod } from './payment-methods.sql.ts'

type CardFacts = { readonly card_brand: CardBrand; readonly card_last4: string } & CardOfMethod

/** What a person knows a card by; null: the profile has no such card any more, or it is a wallet. */
export async function readCardFacts(
  ctx: Pick<ActingContext, 'tenant' | 'reads'>,
  { profileId, id }: { profileId: string; id: string },
): Promise<CardFacts | null> {
  const { accountId: account_id, mode } = ctx.tenant
  const row = await ctx.reads.maybe(selectPaymentMethod({ account_id, mode, profile_id: profileId, id }))
  if (row === null || row.card_brand === null || row.card_last4 === null) return null
  const { card_brand, card_last4 } = row
  return { ...row, card_brand, card_last4 }
}

/** A card as its owner is shown it; null: the profile has no such card any more. */
export async function readMethod(
  ctx: Pick<ActingContext, 'tenant' | 'reads'>,
  { profileId, id }: { profileId: string; id: string },
): Promise<PaymentMethod | null> {
  const { accountId: account_id, mode } = ctx.tenant
  const row = await ctx.reads.maybe(selectPaymentMethod({ account_id, mode, profile_id: profileId, id }))
  return row && renderPaymentMethod(row, ctx.tenant)
}

/**
 * The card of a method, whatever the method's state is by now: a purchase that began with it continues with it. Null where it is gone.
 */
export function cardOfMethod(
  ctx: Pick<ActingContext, 'tenant' | 'reads'>,
  { profileId, id }: { profileId: string; id: string },
): Promise<CardOfMethod | null> {
  const { accountId: account_id, mode } = ctx.tenant
  return ctx.reads.maybe(selectCardOfMethod({ account_id, mode, profile_id: profileId, id }))
}
