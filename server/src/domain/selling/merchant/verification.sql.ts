import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { claimStatement } from '../../../platform/work/lease.sql.ts'
import type { Claimed } from '../../../platform/work/lease.ts'

type Tenant = { account_id: Id<'acct'>; mode: Mode }

/** The last look at a domain's proof. */
export type VerificationRow = {
  domain: string
  token: string
  status: 'pending' | 'passed' | 'failed'
  detail: string | null
  checked_at: Date | null
  failing_since: Date | null
  lapsed_at: Date | null
}

/**
 * Run it under `lockMerchant`. A call asks, so it is due at once. A look under way may have missed a proof that was published since, so
 * its lease is taken away. Another domain or token than before begins from the start.
 */
export const askVerification = statement<
  never,
  Tenant & { id: Id<'chk'>; domain: string; token: string; now: Date }
>(
  'ask_domain_verification',
  `insert into domain_verifications as v (account_id, mode, id, domain, token, status, asked, due_at, created_at, updated_at)
   values ($account_id, $mode, $id, $domain, $token, 'pending', 1, $now, $now, $now)
   on conflict (account_id, mode) do update set
     domain = excluded.domain, token = excluded.token, asked = v.asked + 1, due_at = excluded.due_at, lease_until = null,
     lease_token = v.lease_token + 1, updated_at = excluded.updated_at,
     status = case when v.token = excluded.token then v.status else 'pending' end,
     detail = case when v.token = excluded.token then v.detail end,
     checked_at = case when v.token = excluded.token then v.checked_at end,
     failing_since = case when v.token = excluded.token then v.failing_since end,
     lapsed_at = case when v.token = excluded.token then v.lapsed_at end`,
)

/** Whether every call that has asked so far was answered. */
export const selectAnswered = statement<{ is_answered: boolean }, Tenant>(
  'select_domain_verification_answered',
  `select asked = answered as is_answered from domain_verifications where account_id = $account_id and mode = $mode`,
)

export type ClaimedVerification = Claimed & {
  id: Id<'chk'>
  domain: string
  token: string
  failing_since: Date | null
}

export const claimDueVerifications = claimStatement<ClaimedVerification>('domain_verifications', [
  'domain',
  'token',
  'failing_since',
])

/** Only while the lease is the last one; returns a row if it was. */
export const settleVerification = statement<
  { id: Id<'chk'> },
  Tenant & {
    id: Id<'chk'>
    lease_token: bigint
    status: 'passed' | 'failed'
    detail: string
    failing_since: Date | null
    lapsed_at: Date | null
    due_at: Date | null
    now: Date
  }
>(
  'settle_domain_verification',
  `update domain_verifications set status = $status, detail = $detail, checked_at = $now, failing_since = $failing_since,
     lapsed_at = $lapsed_at, answered = asked, due_at = $due_at, lease_until = null, updated_at = $now
   where account_id = $account_id and mode = $mode and id = $id and lease_token = $lease_token
   returning id`,
)

/** The merchant has another domain by now, so this look is not needed. */
export const dropVerification = statement<never, Tenant & { id: Id<'chk'>; lease_token: bigint; now: Date }>(
  'drop_domain_verification',
  `update domain_verifications set answered = asked, due_at = null, lease_until = null, updated_at = $now
   where account_id = $account_id and mode = $mode and id = $id and lease_token = $lease_token`,
)
