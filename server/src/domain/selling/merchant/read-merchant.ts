import type { Reads, Tenant } from '../../../contract/context.ts'
import { selectMerchantRow, selectSeller, selectSellersByHosts } from './merchant.sql.ts'
import type { MerchantRecord, Seller } from './merchant.ts'

/** An account's own merchant record, if it has one. */
export function readMerchant(reads: Pick<Reads, 'maybe'>, merchant: Tenant): Promise<MerchantRecord | null> {
  return reads.maybe(selectMerchantRow(tenanted(merchant)))
}

/** An account's merchant as a buyer needs it. */
export function readSeller(reads: Pick<Reads, 'maybe'>, merchant: Tenant): Promise<Seller | null> {
  return reads.maybe(selectSeller(tenanted(merchant)))
}

/** Who sells to `buyer` at these hosts; which of them a URL belongs to, `merchantForUrl` says. */
export function readSellersAt(
  reads: Pick<Reads, 'rows'>,
  buyer: Tenant,
  hosts: readonly string[],
): Promise<Seller[]> {
  return reads.rows(selectSellersByHosts({ ...tenanted(buyer), hosts }))
}

function tenanted({ accountId, mode }: Tenant) {
  return { account_id: accountId, mode }
}
