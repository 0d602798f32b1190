import { defineOperation, reply } from '../../contract/operation.ts'
import { Merchant } from './merchant.ts'
import { readMerchant } from './read-merchant.ts'

export const getMerchant = defineOperation({
  id: 'v1_get_merchant',
  method: 'GET',
  path: '/v1/merchant',
  auth: 'secret',
  scope: 'merchant:read',
  tag: 'Merchant',
  summary: 'Read the merchant record, what it lacks, what is proved, and the next call to make',
  description:
    'Starts no checks. An account that has set nothing yet reads an empty record with everything due.',
  responses: { 200: Merchant },
  handle: async (ctx) => reply(200, await readMerchant(ctx)),
})
