import { getMerchant } from './get-merchant.ts'
import { updateMerchant } from './update-merchant.ts'

export const merchantOperations = [getMerchant, updateMerchant]
