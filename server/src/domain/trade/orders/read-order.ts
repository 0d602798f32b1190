import type { Reads, Tenant } from '../../../contract/context.ts'
import type { OrderProgress } from './order.ts'
import { selectOrder } from './orders.sql.ts'

/** How the buyer's order of this id stands; null where there is none. */
export function readOrder(
  reads: Pick<Reads, 'maybe'>,
  { accountId, mode }: Tenant,
  id: string,
): Promise<OrderProgress | null> {
  return reads.maybe(selectOrder({ account_id: accountId, mode, id }))
}
