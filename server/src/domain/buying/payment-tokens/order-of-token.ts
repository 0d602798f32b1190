import type { OrderOfToken } from '../execution/public.ts'
import { selectOrderOfCart } from './payment-tokens.sql.ts'

/** The order by which a merchant uses the token of a purchase; null: none so far. */
export const orderOfToken: OrderOfToken = async ({ tenant, tx }, { intentId }) => {
  const { accountId: account_id, mode } = tenant
  const row = await tx.maybe(selectOrderOfCart({ account_id, mode, intent_id: intentId }))
  return row?.order_id ?? null
}
