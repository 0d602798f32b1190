import type { ActingContext } from '../../../contract/context.ts'
import type { ChargeOf } from '../intents/public.ts'
import { selectCharge } from './charges.sql.ts'
import { selectHolds } from './execution.sql.ts'

export const chargeOf: ChargeOf = async ({ tenant, tx }, { cartId, attempt }) => {
  const { accountId: account_id, mode } = tenant
  const row = await tx.maybe(selectCharge({ account_id, mode, cart_id: cartId, attempt }))
  return row?.captured_amount ?? null
}

/** How the rail names what it has captured for one attempt of a cart; null: it has captured nothing that stands. */
export async function captureOfAttempt(
  { tenant, tx }: ActingContext,
  { cartId: cart_id, attempt }: { cartId: string; attempt: number },
): Promise<string | null> {
  const holds = await tx.rows(selectHolds({ account_id: tenant.accountId, mode: tenant.mode, cart_id }))
  return (
    holds.find((hold) => hold.attempt === attempt && hold.status === 'captured')?.capture_reference ?? null
  )
}
