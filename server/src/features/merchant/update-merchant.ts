import Type from 'typebox'
import type { CallContext } from '../../contract/context.ts'
import { normalizeCurrency } from '../../contract/formats.ts'
import { defineOperation, reply } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { Closed } from '../../contract/schemas.ts'
import { selectVerifiedHolder } from './merchant.sql.ts'
import { Merchant, MerchantFields, type MerchantRow } from './merchant.ts'
import { changeMerchant, newVerificationToken } from './write-merchant.ts'

export const updateMerchant = defineOperation({
  id: 'v1_update_merchant',
  method: 'POST',
  path: '/v1/merchant',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Merchant',
  summary: 'Change the merchant record',
  description:
    'The first change makes the record. Fields left out stay as they are, null clears one. Another domain has to be verified anew.',
  body: Type.Partial(Closed(MerchantFields), { additionalProperties: false }),
  responses: { 200: Merchant },
  problems: ['slug_in_use', 'domain_in_use'],
  conflicts: { merchants_slug: 'slug_in_use', merchants_verified_domain: 'domain_in_use' },
  async handle(ctx, { body }) {
    const merchant = await changeMerchant(ctx, async (row) => {
      const { domain, currency, ...fields } = body
      return {
        ...fields,
        ...(currency === undefined ? {} : { currency: currency && normalizeCurrency(currency) }),
        ...(domain === undefined ? {} : await domainChange(ctx, row, domain)),
      }
    })
    return reply(200, merchant)
  },
})

/** Claiming a domain that somebody else has proved to own would only ever fail its verification. */
async function domainChange(
  ctx: CallContext,
  row: MerchantRow,
  written: string | null,
): Promise<Partial<MerchantRow>> {
  const domain = written?.toLowerCase() ?? null
  if (domain === row.domain) return {}
  const holder = domain && (await ctx.tx.maybe(selectVerifiedHolder({ mode: row.mode, domain })))
  if (holder) throw new Problem('domain_in_use', { param: 'domain' })
  return { domain, domain_verified_at: null, verification_token: newVerificationToken(ctx) }
}
