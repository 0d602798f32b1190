import type { CallContext, Tenant } from '../../../contract/context.ts'
import type { PromotionRow } from './promotion.ts'

/** The buyer, by the attributes with which rules tell people apart. */
export type Buyer = {
  readonly profile: string
  readonly email: string
  /** Whether nobody with this address has ordered from the merchant before; read only where a rule needs it. */
  isFirstPurchase(): Promise<boolean>
}

/** The person whom a promotion counts as one: never readable, and different for each merchant. */
export async function identify(
  ctx: Pick<CallContext, 'sealer'>,
  promotion: Pick<PromotionRow, 'identity_rule'>,
  { merchant, buyer }: { readonly merchant: Tenant; readonly buyer: Buyer },
): Promise<{ readonly key: string; readonly hash: Buffer }> {
  const who = personOf(promotion, buyer)
  const hash = ctx.sealer.hashToken(`promotion-identity ${merchant.accountId} ${who}`)
  return { key: hash.toString('hex'), hash }
}

/** `first_purchase` tells people apart in the same way as `email`. */
function personOf({ identity_rule }: Pick<PromotionRow, 'identity_rule'>, buyer: Buyer): string {
  switch (identity_rule) {
    case 'any':
    case 'profile':
      return `profile ${buyer.profile}`
    case 'email':
    case 'first_purchase':
      return `email ${buyer.email.toLowerCase()}`
    default:
      return identity_rule satisfies never
  }
}
