import { getMerchant } from './get-merchant.ts'
import type { MerchantRecords } from './merchant-records.ts'
import { updateMerchant } from './update-merchant.ts'
import { verifyMerchantDomain } from './verify-merchant-domain.ts'

export function merchantOperations(records: MerchantRecords) {
  return [getMerchant(records), updateMerchant(records), verifyMerchantDomain(records)]
}
