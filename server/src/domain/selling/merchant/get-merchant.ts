import { defineOperation, reply } from '../../../contract/operation.ts'
import { Merchant } from './merchant.ts'
import type { MerchantRecords } from './merchant-records.ts'

export function getMerchant(records: MerchantRecords) {
  return defineOperation({
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
    handle: async (ctx) => reply(200, await records.read(ctx)),
  })
}
