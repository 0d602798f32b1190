import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import type { Tenanted } from '../../../platform/aggregate/aggregate.ts'
import { claimByMeansStatement } from '../../../platform/work/lease.sql.ts'
import type { Claimed } from '../../../platform/work/lease.ts'

/** What is known of who is paid. */
export type PayoutFacts = {
  is_decided: boolean
  is_stopped: boolean
  /** The account that the operator has named; null: the operator is paid, where anything is decided. */
  decided_account: string | null
  /** The account of the merchant, and whether the rail lets it be charged; null: it has none, or nobody has asked the rail. */
  account: string | null
  charges_enabled: boolean | null
}

/** What the operator has decided, and the account that the merchant has at the rail. */
export const selectPayout = statement<PayoutFacts, Tenanted>(
  'select_merchant_payout',
  `select d.account_id is not null as is_decided, coalesce(d.is_stopped, false) as is_stopped, d.payout_account as decided_account,
     a.id as account, a.charges_enabled
   from (select 1) as one
   left join merchant_payouts d on d.account_id = $account_id and d.mode = $mode
   left join payout_accounts a on a.account_id = $account_id and a.mode = $mode`,
)

export const upsertPayout = statement<
  never,
  Tenanted & { payout_account: string | null; is_stopped: boolean; set_by: string; now: Date }
>(
  'upsert_merchant_payout',
  `insert into merchant_payouts (account_id, mode, payout_account, is_stopped, set_by, updated_at)
   values ($account_id, $mode, $payout_account, $is_stopped, $set_by, $now)
   on conflict (account_id, mode) do update set payout_account = excluded.payout_account, is_stopped = excluded.is_stopped,
     set_by = excluded.set_by, updated_at = excluded.updated_at`,
)

export const selectPayoutAccount = statement<{ id: string }, Tenanted>(
  'select_payout_account',
  `select id from payout_accounts where account_id = $account_id and mode = $mode`,
)

/** Another account than before begins from the start: nothing is known of it. A look under way at the old one ends for nothing. */
export const namePayoutAccount = statement<
  never,
  Tenanted & { id: string; linked_at: Date | null; due_at: Date; now: Date }
>(
  'name_payout_account',
  `insert into payout_accounts as p (account_id, mode, id, linked_at, due_at, created_at, updated_at)
   values ($account_id, $mode, $id, $linked_at, $due_at, $now, $now)
   on conflict (account_id, mode) do update set
     id = excluded.id, linked_at = coalesce(excluded.linked_at, p.linked_at), due_at = excluded.due_at, updated_at = excluded.updated_at,
     lease_until = null, lease_token = p.lease_token + 1,
     charges_enabled = case when p.id = excluded.id then p.charges_enabled end,
     payouts_enabled = case when p.id = excluded.id then p.payouts_enabled end,
     requirements_due = case when p.id = excluded.id then p.requirements_due else '{}' end,
     read_at = case when p.id = excluded.id then p.read_at end`,
)

export type ClaimedAccount = Claimed & {
  readonly charges_enabled: boolean | null
  readonly payouts_enabled: boolean | null
  readonly requirements_due: readonly string[]
  readonly linked_at: Date | null
}

export const claimPayoutAccounts = claimByMeansStatement<ClaimedAccount, { modes: readonly Mode[] }>(
  'payout_accounts',
  { modes: ['mode', 'mode'] },
  ['charges_enabled', 'payouts_enabled', 'requirements_due', 'linked_at'],
)

/** Only while the lease is the last one; returns a row if it was. */
export const settlePayoutAccount = statement<
  { id: string },
  Tenanted & {
    id: string
    lease_token: bigint
    charges_enabled: boolean
    payouts_enabled: boolean
    requirements_due: readonly string[]
    due_at: Date
    now: Date
  }
>(
  'settle_payout_account',
  `update payout_accounts set charges_enabled = $charges_enabled, payouts_enabled = $payouts_enabled,
     requirements_due = $requirements_due::text[], read_at = $now, due_at = $due_at, lease_until = null, updated_at = $now
   where account_id = $account_id and mode = $mode and id = $id and lease_token = $lease_token
   returning id`,
)

export type UnreadyAccount = {
  readonly account_id: Id<'acct'>
  readonly id: string
  readonly requirements_due: readonly string[]
  readonly is_read: boolean
}

/** The merchants whose account may not be charged, as far as is known. */
export const selectUnreadyAccounts = statement<UnreadyAccount, { mode: Mode }>(
  'select_unready_payout_accounts',
  `/* tenantless: the operator looks at the accounts of every account_id */
   select account_id, id, requirements_due, read_at is not null as is_read from payout_accounts
   where mode = $mode and charges_enabled is distinct from true order by created_at, account_id`,
)
