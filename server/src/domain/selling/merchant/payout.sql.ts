import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'

export const selectPayout = statement<
  { payout_account: string | null },
  { account_id: Id<'acct'>; mode: Mode }
>(
  'select_merchant_payout',
  `select payout_account from merchant_payouts where account_id = $account_id and mode = $mode`,
)

export const upsertPayout = statement<
  never,
  { account_id: Id<'acct'>; mode: Mode; payout_account: string | null; set_by: string; now: Date }
>(
  'upsert_merchant_payout',
  `insert into merchant_payouts (account_id, mode, payout_account, set_by, updated_at)
   values ($account_id, $mode, $payout_account, $set_by, $now)
   on conflict (account_id, mode) do update
     set payout_account = excluded.payout_account, set_by = excluded.set_by, updated_at = excluded.updated_at`,
)

export const deletePayout = statement<never, { account_id: Id<'acct'>; mode: Mode }>(
  'delete_merchant_payout',
  `delete from merchant_payouts where account_id = $account_id and mode = $mode`,
)
