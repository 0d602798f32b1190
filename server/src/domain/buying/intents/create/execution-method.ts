import type { CallContext } from '../../../../contract/context.ts'
import { Problem } from '../../../../contract/problem.ts'
import { Named, OneOf } from '../../../../contract/schemas.ts'

const methods = ['automatic', 'payment_token'] as const

export const ExecutionMethod = Named(
  'PurchaseIntentExecutionMethod',
  OneOf(methods, {
    description:
      '`automatic` buys as soon as the purchase is approved or allowed. `payment_token` buys nothing by itself: the purchase waits for v1_create_purchase_intent_payment_token, for 7 days.',
  }),
)

/** A purchase waits in vain for its token where its caller may not make one. */
export function checkExecution(
  { scopes }: Pick<CallContext, 'scopes'>,
  method: (typeof methods)[number] = 'automatic',
): void {
  if (method === 'automatic' || scopes.has('purchase_intents:approve')) return
  throw new Problem('insufficient_scope', {
    param: 'execution_method',
    message:
      'Payment tokens release money, and this caller cannot make them: it lacks the scope purchase_intents:approve. Leave `execution_method` out, and the purchase is bought as soon as it is approved or allowed.',
  })
}

/** `pays_by_token`: no worker begins it. */
type Begins = { readonly pays_by_token: boolean }

/** How many days an approved purchase waits for its token: as long as an approval is good for a retry. */
const tokenDays = 7

/** When an approved or allowed purchase without carts is due: at once, or, where it waits for its token, when that wait ends. */
export function beginsAt({ pays_by_token }: Begins, now: Date): Date {
  return pays_by_token ? new Date(now.getTime() + tokenDays * 86_400_000) : now
}

export function executionMethodOf({ pays_by_token }: Begins): (typeof methods)[number] {
  return pays_by_token ? 'payment_token' : 'automatic'
}
