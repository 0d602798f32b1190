import type { ActingContext, Reads, Tenant } from '../../../contract/context.ts'
import { namePayoutAccount, type PayoutFacts, selectPayout, upsertPayout } from './payouts.sql.ts'

/** `account`: the merchant's account at the payment rail. `operator`: the operator is the merchant of record. `nobody`: it sells nothing. */
export type Payout =
  | { readonly to: 'account'; readonly account: string }
  | { readonly to: 'operator' | 'nobody' }

/** Who is paid for what the merchant sells. Test mode pays nobody, and everybody sells. */
export async function readPayout(reads: Pick<Reads, 'maybe'>, { accountId, mode }: Tenant): Promise<Payout> {
  if (mode !== 'live') return { to: 'operator' }
  const facts = await reads.maybe(selectPayout({ account_id: accountId, mode }))
  if (facts === null) throw new Error('a payout was read and nothing came back')
  return payoutOf(facts)
}

/**
 * What the operator has decided goes before what the merchant has opened. An account that the operator names is charged until the rail says
 * that it may not be; one that the merchant has opened is charged once the rail says that it may.
 */
export function payoutOf(facts: PayoutFacts): Payout {
  const { is_decided: isDecided, is_stopped: isStopped, decided_account: decided, account } = facts
  if (isStopped) return { to: 'nobody' }
  if (isDecided && decided === null) return { to: 'operator' }
  const isRead = account !== null && facts.charges_enabled !== null
  if (decided !== null) {
    const isRefused = isRead && account === decided && facts.charges_enabled === false
    // guard closed-accounts-sell-nothing: no money is held for an account that the rail does not let be charged
    return isRefused ? { to: 'nobody' } : { to: 'account', account: decided }
  }
  // guard opened-accounts-are-proven: an account that a merchant has opened is charged only once the rail has said that it may be
  return isRead && facts.charges_enabled ? { to: 'account', account } : { to: 'nobody' }
}

/** What the operator decides, in their name. Purchases that hold money already stay with whom they were made for. */
export function setPayout(ctx: ActingContext, payout: Payout, by: string): void {
  const { accountId: account_id, mode } = ctx.tenant
  const { now } = ctx
  const account = payout.to === 'account' ? payout.account : null
  const is_stopped = payout.to === 'nobody'
  ctx.tx.write(upsertPayout({ account_id, mode, payout_account: account, is_stopped, set_by: by, now }))
  if (account !== null)
    ctx.tx.write(namePayoutAccount({ account_id, mode, id: account, linked_at: null, due_at: now, now }))
}
