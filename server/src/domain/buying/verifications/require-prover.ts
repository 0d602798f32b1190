import type { CallContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'

/** Cards are proven by components that add them, and by the page on which a person approves. */
export function requireProver({ scopes }: Pick<CallContext, 'scopes'>): void {
  // guard provers: a component for something else proves no card
  if (!scopes.has('payment_methods:write') && !scopes.has('purchase_intents:approve'))
    throw new Problem('insufficient_scope', { message: 'This component proves no cards.' })
}
