import type { ChargeOf } from '../intents/public.ts'
import { selectCharge } from './charges.sql.ts'

export const chargeOf: ChargeOf = async ({ tenant, tx }, { cartId, attempt }) => {
  const { accountId: account_id, mode } = tenant
  const row = await tx.maybe(selectCharge({ account_id, mode, cart_id: cartId, attempt }))
  return row?.captured_amount ?? null
}
