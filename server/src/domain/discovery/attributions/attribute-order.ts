import type { ActingContext } from '../../../contract/context.ts'
import { readAttribution } from './attribution-id.ts'
import { insertAttributedOrder } from './attributions.sql.ts'

/**
 * Counts an order of the merchant `ctx.tenant` for the search in which its goods were found, in the transaction that begins its payment. A
 * token that is not ours, is too old, or is another merchant's counts for nothing: it is kept as what it is, and the sale goes on.
 */
export function attributeOrder(
  ctx: Pick<ActingContext, 'tx' | 'tenant' | 'sealer' | 'now'>,
  { token, orderId }: { token: string; orderId: string },
): void {
  const { accountId, mode } = ctx.tenant
  const read = readAttribution(token, ctx.sealer)
  const attribution = read?.mode === mode ? read : null
  ctx.tx.write(
    insertAttributedOrder({
      account_id: accountId,
      mode,
      order_id: orderId,
      attribution_id: attribution?.id ?? null,
      is_over: attribution !== null && attribution.expiresAt <= ctx.now,
      now: ctx.now,
    }),
  )
}
