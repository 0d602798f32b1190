import type { CallContext } from '../../../contract/context.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Changes } from '../../../contract/schemas.ts'
import { normalizeCurrency } from '../../../schema/formats.ts'
import { selectVerifiedHolder } from './merchant.sql.ts'
import { Merchant, MerchantFields, type MerchantRow } from './merchant.ts'
import type { MerchantRecords } from './merchant-records.ts'
import { isSharedTestDomain, takeTestDomain } from './test-domains.ts'
import { newVerificationToken } from './write-merchant.ts'

export function updateMerchant(records: MerchantRecords) {
  return defineOperation({
    id: 'v1_update_merchant',
    method: 'POST',
    path: '/v1/merchant',
    auth: 'secret',
    scope: 'merchant:write',
    tag: 'Merchant',
    summary: 'Update the merchant record',
    description:
      'The first update creates the record. Fields you leave out stay as they are; null clears a field. A new domain must be ' +
      'verified again, and a new category or country confirmed again. `domain`, `mcc` and `country` say who the merchant is ' +
      'to its buyers: changing them needs the scope merchant:identity, which a key of the preset merchant_backend lacks.',
    body: Changes(MerchantFields),
    examples: {
      first_setup: {
        summary: 'Set up a merchant in test mode',
        body: {
          slug: 'blue-mugs',
          name: 'Blue Mugs',
          domain: 'blue-mugs.example',
          mcc: '5719',
          country: 'US',
          currency: 'USD',
          tax_basis_points: 825,
        },
      },
    },
    responses: { 200: Merchant },
    problems: ['slug_in_use', 'domain_in_use', 'domain_taken'],
    conflicts: { merchants_slug: 'slug_in_use', merchants_verified_domain: 'domain_in_use' },
    async handle(ctx, { body }) {
      const merchant = await records.change(ctx, async (row) => {
        const { domain, currency, ...fields } = body
        assertMayBecome(ctx, row, body)
        return {
          ...fields,
          ...noLongerConfirmed(row, fields),
          ...(currency === undefined ? {} : { currency: currency && normalizeCurrency(currency) }),
          ...(domain === undefined ? {} : await domainChange(ctx, row, domain)),
        }
      })
      return reply(200, merchant)
    },
  })
}

type Written = { domain?: string | null; mcc?: string | null; country?: string | null }

/** The key of a merchant's backend answers its orders, and cannot choose the name by which buyers' policies judge the merchant. */
function assertMayBecome(ctx: CallContext, row: MerchantRow, written: Written): void {
  // guard backend-keeps-the-identity: a key of a backend does not change who the merchant is
  if (ctx.scopes.has('merchant:identity')) return
  const values = { ...written, ...(written.domain ? { domain: written.domain.toLowerCase() } : {}) }
  for (const field of ['domain', 'mcc', 'country'] as const) {
    if (values[field] === undefined || values[field] === row[field]) continue
    throw new Problem('insufficient_scope', {
      message: `This key lacks the scope merchant:identity, which a change of \`${field}\` needs. Ask a person to make the change.`,
      param: field,
    })
  }
}

/** The operator confirmed the value that the merchant claimed then. */
function noLongerConfirmed(row: MerchantRow, { mcc, country }: Written): Partial<MerchantRow> {
  return {
    ...(mcc === undefined || mcc === row.mcc ? {} : { mcc_confirmed: null, mcc_confirmed_at: null }),
    ...(country === undefined || country === row.country
      ? {}
      : { country_confirmed: null, country_confirmed_at: null }),
  }
}

/** If a merchant claims a domain that another one has proved, its verification would always fail. */
async function domainChange(
  ctx: CallContext,
  row: MerchantRow,
  written: string | null,
): Promise<Partial<MerchantRow>> {
  const domain = written?.toLowerCase() ?? null
  const isShared = domain !== null && isSharedTestDomain(ctx, domain)
  if (domain === row.domain) return isShared ? await takeUnheld(ctx, row, domain) : {}
  if (isShared) {
    const taken = await takeTestDomain(ctx, domain)
    if (!taken) throw new Problem('domain_taken', { param: 'domain' })
    return { ...taken, verification_token: newVerificationToken(ctx) }
  }
  const holder = domain && (await ctx.tx.maybe(selectVerifiedHolder({ mode: row.mode, domain })))
  if (holder) throw new Problem('domain_in_use', { param: 'domain' })
  return {
    domain,
    domain_verified_at: null,
    test_domain: null,
    verification_token: newVerificationToken(ctx),
  }
}

/** A merchant that repeats a claim from when another merchant had the domain gets it once it is free. */
async function takeUnheld(ctx: CallContext, row: MerchantRow, domain: string): Promise<Partial<MerchantRow>> {
  if (row.domain_verified_at !== null || !ctx.scopes.has('merchant:identity')) return {}
  return (await takeTestDomain(ctx, domain)) ?? {}
}
