import type { CallContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import type { PayingMethod } from '../../buyers/payment-methods/public.ts'
import { selectRefusedProofs } from './verifications.sql.ts'

/** Cards are proven by components that add them, and by the page on which a person approves. */
export function requireProver({ scopes }: Pick<CallContext, 'scopes'>): void {
  // guard provers: a component for something else proves no card
  if (!scopes.has('payment_methods:write') && !scopes.has('purchase_intents:approve'))
    throw new Problem('insufficient_scope', { message: 'This component proves no cards.' })
}

/** Of the cards of a profile, a session proves those that it sees, and those that were added in it. */
export function requireSight(
  { component, scopes }: Pick<CallContext, 'component' | 'scopes'>,
  { added_in }: PayingMethod,
): void {
  if (scopes.has('payment_methods:read') || scopes.has('purchase_intents:approve')) return
  // guard proofs-of-cards-in-sight: where a key asks for client secrets, a page without one proves no card that it does not see
  if (component === null || added_in?.equals(component.hash) !== true)
    throw new Problem('insufficient_scope', {
      message: 'Without a client secret this component proves only a card that was added in it.',
    })
}

/** How many proofs of a card may be refused in an hour where nobody vouches for who tries. */
const refusedProofsMax = 10

/** Where nobody vouches for who tries, wrong proofs leave the card as it is; so they are bounded here. */
export async function stopAfterRefusedProofs(ctx: CallContext, payment_method_id: string): Promise<void> {
  if (ctx.component === null || ctx.component.isVouched) return
  const { accountId: account_id, mode } = ctx.tenant
  const since = new Date(ctx.now.getTime() - 3_600_000)
  const refused = await ctx.reads.rows(
    selectRefusedProofs({ account_id, mode, payment_method_id, since, most: refusedProofsMax }),
  )
  // guard refused-proofs-of-a-card: who has a link or a copied key does not guess the codes of a bank for ever
  if (refused.length >= refusedProofsMax)
    throw new Problem('verification_failed', {
      message:
        'Too many proofs of this card were refused here. Try again in an hour, or choose another card.',
    })
}
