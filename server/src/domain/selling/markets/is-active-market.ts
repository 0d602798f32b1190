import type { Reads, Tenant } from '../../../contract/context.ts'
import { selectMarket } from './markets.sql.ts'

/** Whether the tenant has this market, and it is not archived. */
export async function isActiveMarket(
  reads: Pick<Reads, 'maybe'>,
  { accountId, mode }: Tenant,
  id: string,
): Promise<boolean> {
  const market = await reads.maybe(selectMarket({ account_id: accountId, mode, id }))
  return market?.status === 'active'
}
