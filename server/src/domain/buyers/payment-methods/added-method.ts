import type { CallContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import type { Id } from '../../../core/id.ts'
import { isCodeOf, type VerificationInput } from './check-verification.ts'
import { selectPaymentMethod } from './payment-methods.sql.ts'

/** A card in the session of the component that asks. */
export type MethodInSession = {
  readonly id: Id<'pm'>
  readonly profileId: Id<'prof'>
  readonly card: { readonly brand: string; readonly last4: string }
  /** Agents can pay with it, and it was added in this session and proven nowhere else. */
  readonly isAddedHere: boolean
  /** All steps of its enrollment were proven in this session, and there was one. */
  readonly isProvenHere: boolean
  /** Whether this is its security code. */
  isCode(shown: Pick<VerificationInput, 'temporary_cvc_token_id' | 'typedCode'>): boolean
}

/** Throws the 404 for a card that the profile does not have: a wallet is none. */
export async function readMethodInSession(
  ctx: Pick<CallContext, 'tenant' | 'tx' | 'component'>,
  { profile_id, payment_method_id: id }: { profile_id: string; payment_method_id: string },
): Promise<MethodInSession> {
  const { accountId: account_id, mode } = ctx.tenant
  const row = await ctx.tx.maybe(selectPaymentMethod({ account_id, mode, profile_id, id }))
  if (!row || row.card_brand === null || row.card_last4 === null)
    throw new Problem('not_found', { param: 'payment_method_id' })
  const isOfSession = ctx.component !== null && row.added_in?.equals(ctx.component.hash) === true
  const isAddedHere = isOfSession && row.agentic_status === 'active'
  return {
    id: row.id,
    profileId: row.profile_id,
    card: { brand: row.card_brand, last4: row.card_last4 },
    isAddedHere,
    isProvenHere: isAddedHere && row.proven_there,
    isCode: (shown) => isCodeOf(row, shown),
  }
}
