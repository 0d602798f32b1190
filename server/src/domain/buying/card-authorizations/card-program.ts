import type { ActingContext } from '../../../contract/context.ts'
import type { AllowedCharge } from '../rails/public.ts'
import { confirmProgram, selectNeverAllowed, stopProgram } from './card-program.sql.ts'

/**
 * Compares what an issuer has allowed with our own answers. A charge that none of them has allowed shows that the issuer does not wait for
 * us, as it is to be set: no card is shown to a shop from then on. The charge that shows it; null: none does.
 */
export async function stopAtForeignCharges(
  { tx, tenant, now }: ActingContext,
  charges: readonly AllowedCharge[],
): Promise<string | null> {
  const { accountId: account_id, mode } = tenant
  const never = await tx.rows(selectNeverAllowed({ account_id, mode, ids: charges.map(({ id }) => id) }))
  const by = charges.find(({ isUnasked }) => isUnasked)?.id ?? never[0]?.id ?? null
  // guard unasked-charges-stop-cards: where an issuer allows charges by itself, no further card is exposed to that
  if (by !== null) tx.write(stopProgram({ mode, by, now }))
  return by
}

/** The operator has seen at the issuer that what nobody has answered in time is declined. Cards are shown again. */
export function confirmFallback({ tx, tenant, now }: ActingContext, by: string): void {
  tx.write(confirmProgram({ mode: tenant.mode, by, now }))
}
