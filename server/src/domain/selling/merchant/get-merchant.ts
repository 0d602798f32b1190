import { defineOperation, reply } from '../../../contract/operation.ts'
import { Merchant } from './merchant.ts'
import { readMerchant } from './read-merchant.ts'

export const getMerchant = defineOperation({
  id: 'v1_get_merchant',
  method: 'GET',
  path: '/v1/merchant',
  auth: 'secret',
  scope: 'merchant:read',
  tag: 'Merchant',
  summary: 'Read the merchant record',
  description:
    'Shows what is set, what is missing, what has been verified, and the next call to make. It starts no checks. Before ' +
    'anything is set, the record is empty and every requirement is due.',
  responses: { 200: Merchant },
  handle: async (ctx) => reply(200, await readMerchant(ctx)),
})
