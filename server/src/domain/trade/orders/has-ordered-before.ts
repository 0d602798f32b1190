import type { Reads, Tenant } from '../../../contract/context.ts'
import { selectEarlierOrder } from './earlier-orders.sql.ts'

/** Whether a person with this e-mail address has an order of the merchant that is confirmed, or may still be. */
export async function hasOrderedBefore(
  reads: Pick<Reads, 'maybe'>,
  { accountId: merchant_account_id, mode }: Tenant,
  email: string,
): Promise<boolean> {
  const found = await reads.maybe(selectEarlierOrder({ merchant_account_id, mode, email }))
  return found?.has_ordered ?? false
}
