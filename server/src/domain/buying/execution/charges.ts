import type { ActingContext } from '../../../contract/context.ts'
import type { ChargeOf } from '../intents/public.ts'
import { selectCharge } from './charges.sql.ts'
import { selectHolds } from './execution.sql.ts'

export const chargeOf: ChargeOf = async ({ tenant, tx }, { cartId, attempt }) => {
  const { accountId: account_id, mode } = tenant
  const row = await tx.maybe(selectCharge({ account_id, mode, cart_id: cartId, attempt }))
  return row?.captured_amount ?? null
}

/** What was captured for one attempt of a cart, and the rail that names it so; null: nothing that stands. */
export async function captureOfAttempt(
  { tenant, tx }: ActingContext,
  { cartId: cart_id, attempt }: { cartId: string; attempt: number },
): Promise<{ readonly reference: string; readonly rail: string | null } | null> {
  const holds = await tx.rows(selectHolds({ account_id: tenant.accountId, mode: tenant.mode, cart_id }))
  const hold = holds.find((one) => one.attempt === attempt && one.status === 'captured')
  return hold?.capture_reference ? { reference: hold.capture_reference, rail: hold.rail } : null
}
