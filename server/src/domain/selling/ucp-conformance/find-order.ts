import type { CallContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import type { UcpCall } from '../../../protocols/ucp/ucp-call.ts'
import { readCheckoutOfOrder } from '../checkouts/public.ts'

/** An order that the caller has placed. Throws the 404. */
export async function requireOrder(
  ctx: CallContext,
  { profile: platform }: Pick<UcpCall, 'profile'>,
  orderId: string,
) {
  const found = await readCheckoutOfOrder(ctx.reads, ctx.tenant, { platform, orderId })
  if (!found) throw new Problem('not_found', { message: 'There is no such order.' })
  return found
}
