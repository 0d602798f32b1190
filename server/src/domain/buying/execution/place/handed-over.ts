import type { ActingContext } from '../../../../contract/context.ts'
import { definePort } from '../../../../contract/port.ts'
import type { LoadedCart } from '../../intents/public.ts'
import { lifetimes } from '../lifetimes.ts'

/**
 * Whether the cart is bought by a token: its credential is handed to a merchant of ours, which charges it by itself. At other merchants
 * the same protocols are spoken by a channel.
 */
export function isHandedOver({
  channel,
  merchant_account_id,
}: Pick<LoadedCart, 'channel' | 'merchant_account_id'>): boolean {
  return merchant_account_id !== null && (channel === 'ucp' || channel === 'mpp')
}

/** The protocols over which a merchant of ours takes a token. */
export const handedOverBy = ['ucp', 'mpp'] as const satisfies readonly LoadedCart['channel'][]

/** Until when the merchant can authorize against the cart's credential. It is fixed when the cart is made, and the token says the same. */
export function credentialExpiry({ created_at }: Pick<LoadedCart, 'created_at'>): Date {
  return new Date(created_at.getTime() + lifetimes.tokenMinutes * 60_000)
}

/** The order by which a merchant uses the token of a purchase; null: none so far. */
export type OrderOfToken = (
  ctx: Pick<ActingContext, 'tenant' | 'tx'>,
  of: { intentId: string },
) => Promise<string | null>

/** The slice of the tokens knows which order uses one. */
export const UsedTokens = definePort<OrderOfToken>('used tokens')
