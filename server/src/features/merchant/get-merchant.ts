import { defineOperation, reply } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { selectMerchantRow, selectSetupFacts } from './merchant.sql.ts'
import { Merchant } from './merchant.ts'
import { blankMerchant, renderMerchant } from './write-merchant.ts'

export const getMerchant = defineOperation({
  id: 'v1_get_merchant',
  method: 'GET',
  path: '/v1/merchant',
  auth: 'secret',
  scope: 'merchant:read',
  tag: 'Merchant',
  summary: 'Read the merchant record, its requirements and blockers',
  description:
    'Starts no checks. An account that has set nothing yet reads an empty record with everything due.',
  responses: { 200: Merchant },
  async handle(ctx) {
    const key = { account_id: ctx.tenant.accountId, mode: ctx.tenant.mode }
    const [row, facts] = await Promise.all([
      ctx.reads.maybe(selectMerchantRow(key)),
      ctx.reads.maybe(selectSetupFacts(key)),
    ])
    if (!facts) throw new Problem('not_found')
    // A record that does not exist cannot name the token it would be verified by.
    const shown = row ?? { ...blankMerchant(ctx, facts.account_created_at), verification_token: '…' }
    return reply(200, renderMerchant(shown, facts))
  },
})
