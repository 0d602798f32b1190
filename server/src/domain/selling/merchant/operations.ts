import { getMerchant } from './get-merchant.ts'
import { updateMerchant } from './update-merchant.ts'
import { verifyMerchantDomain } from './verify-merchant-domain.ts'

export const merchantOperations = [getMerchant, updateMerchant, verifyMerchantDomain]
