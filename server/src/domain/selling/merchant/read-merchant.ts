import type { CallContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import { selectMerchantRow } from './merchant.sql.ts'
import type { Merchant } from './merchant.ts'
import { selectReadinessFacts } from './readiness.sql.ts'
import { blankMerchant, renderMerchant } from './write-merchant.ts'

/** The caller's own merchant record as it is; an empty one where nothing has been set yet. */
export async function readMerchant(ctx: Pick<CallContext, 'tenant' | 'random' | 'reads'>): Promise<Merchant> {
  const key = { account_id: ctx.tenant.accountId, mode: ctx.tenant.mode }
  const [row, facts] = await Promise.all([
    ctx.reads.maybe(selectMerchantRow(key)),
    ctx.reads.maybe(selectReadinessFacts(key)),
  ])
  if (!facts) throw new Problem('not_found')
  // A record that does not exist cannot name the token it would be verified by.
  const shown = row ?? { ...blankMerchant(ctx, facts.account_created_at), verification_token: '…' }
  return renderMerchant(shown, facts)
}
