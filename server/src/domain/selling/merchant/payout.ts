import type { ActingContext, Reads, Tenant } from '../../../contract/context.ts'
import { deletePayout, selectPayout, upsertPayout } from './payout.sql.ts'

/** `account`: the merchant's account at the payment rail. `operator`: the operator is the merchant of record. `nobody`: nothing is decided. */
export type Payout =
  | { readonly to: 'account'; readonly account: string }
  | { readonly to: 'operator' | 'nobody' }

/** Who is paid for what the merchant sells. Test mode pays nobody, and everybody sells. */
export async function readPayout(reads: Pick<Reads, 'maybe'>, { accountId, mode }: Tenant): Promise<Payout> {
  if (mode !== 'live') return { to: 'operator' }
  const row = await reads.maybe(selectPayout({ account_id: accountId, mode }))
  if (row === null) return { to: 'nobody' }
  return row.payout_account === null ? { to: 'operator' } : { to: 'account', account: row.payout_account }
}

/** What the operator decides, in the name of whoever they are. Purchases that hold money already stay with whom they were made for. */
export function setPayout(ctx: ActingContext, payout: Payout, by: string): void {
  const { accountId: account_id, mode } = ctx.tenant
  const payout_account = payout.to === 'account' ? payout.account : null
  ctx.tx.write(
    payout.to === 'nobody'
      ? deletePayout({ account_id, mode })
      : upsertPayout({ account_id, mode, payout_account, set_by: by, now: ctx.now }),
  )
}
