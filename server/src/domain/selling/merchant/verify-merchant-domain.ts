import type { CallContext } from '../../../contract/context.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { selectVerifiedHolder } from './merchant.sql.ts'
import { Merchant } from './merchant.ts'
import type { MerchantRecords } from './merchant-records.ts'
import { holdsTestDomain } from './test-domains.ts'
import { askVerification, selectAnswered } from './verification.sql.ts'
import { domainWorkKind } from './work.ts'
import { merchantAggregate } from './write-merchant.ts'

/** How many milliseconds a caller waits for the look: DNS and the file have less. */
const waitMs = 6_000

export function verifyMerchantDomain(records: MerchantRecords) {
  return defineOperation({
    id: 'v1_verify_merchant_domain',
    method: 'POST',
    path: '/v1/merchant/verify_domain',
    auth: 'secret',
    scope: 'merchant:write',
    tag: 'Merchant',
    summary: 'Verify domain ownership',
    description:
      'Looks for the DNS TXT record and the file that the requirement `domain_verification` names. Shows the merchant record ' +
      'as it is afterwards, or after six seconds; `verifications` says what was found. A verified domain is checked again ' +
      'every day. When its proof disappears, it still counts for seven days.',
    responses: { 200: Merchant },
    problems: ['domain_missing', 'domain_in_use'],
    replay: 'current',
    async handle(ctx) {
      const asked = await records.change(
        ctx,
        async (row) => {
          const { domain, mode, account_id } = row
          if (domain === null) throw new Problem('domain_missing')
          // A reserved name has no proof to look for.
          if (holdsTestDomain(row)) return {}
          const holder = await ctx.tx.maybe(selectVerifiedHolder({ mode, domain }))
          if (holder && holder.account_id !== account_id) throw new Problem('domain_in_use')
          const token = row.verification_token
          ctx.tx.write(
            askVerification({ account_id, mode, id: ctx.newId('chk'), domain, token, now: ctx.now }),
          )
          ctx.tx.wake(domainWorkKind)
          return {}
        },
        'merchant.domain_verification_requested',
      )
      return reply(200, asked, { settle: async () => reply(200, await lookedAt(ctx, records)) })
    },
    current: async (ctx) => reply(200, await records.read(ctx)),
  })
}

/** The merchant once every call that asked was answered, or at the end of the time. */
async function lookedAt(ctx: CallContext, records: MerchantRecords): Promise<Merchant> {
  const key = { account_id: ctx.tenant.accountId, mode: ctx.tenant.mode }
  await ctx.waitFor(merchantAggregate(key.account_id), waitMs, async () => {
    const row = await ctx.reads.maybe(selectAnswered(key))
    // Without a row no look was requested: there was nothing to look for.
    return row === null || row.is_answered ? true : null
  })
  return records.read(ctx)
}
