import type { CallContext, Reads, Tenant } from '../../../contract/context.ts'
import type { VerificationInput, VerificationNeeded } from './check-verification.ts'
import type { PayingMethod } from './payment-method.ts'
import { lockUsablePaymentMethod, selectUsablePaymentMethod } from './payment-methods.sql.ts'
import { countStepUp, type HowCounted, tryStepUp } from './try-step-up.ts'

/** A method of a profile; null: its default. */
type Named = { readonly profileId: string; readonly id: string | null }

/** The named method, or the default; null where there is none that may be used. */
export function readPayingMethod(
  reads: Pick<Reads, 'maybe'>,
  tenant: Tenant,
  named: Named,
): Promise<PayingMethod | null> {
  return reads.maybe(selectUsablePaymentMethod(keyOf(tenant, named)))
}

/** A method that nobody else tries a proof on. */
export type LockedMethod = PayingMethod & {
  /** Tries the proof that came with an approval, and counts it; what the buyer has to do where it was refused. */
  tryStepUp(input: VerificationInput, how?: HowCounted): VerificationNeeded | null
  /** Counts a proof that was tried elsewhere. */
  countStepUp(isRight: boolean, how: HowCounted): void
}

/** The same, locked until the transaction ends: guesses are counted one after the other. */
export async function lockPayingMethod(ctx: CallContext, named: Named): Promise<LockedMethod | null> {
  // guard guesses-one-after-the-other: of many guesses at once as many are tried as of guesses one after the other
  const row = await ctx.tx.maybe(lockUsablePaymentMethod(keyOf(ctx.tenant, named)))
  return (
    row && {
      ...row,
      tryStepUp: (input, how = { atCard: true }) => tryStepUp(ctx, row, input, how),
      countStepUp: (isRight, how) => void countStepUp(ctx, row, isRight, how),
    }
  )
}

function keyOf({ accountId, mode }: Tenant, { profileId, id }: Named) {
  return { account_id: accountId, mode, profile_id: profileId, payment_method_id: id }
}
