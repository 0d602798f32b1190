import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import type { Tenanted } from '../../../platform/aggregate/aggregate.ts'
import { claimStatement, leaseStatements } from '../../../platform/work/lease.sql.ts'
import type { Claimed } from '../../../platform/work/lease.ts'

/** What a platform has to be told: all changes of an order up to a sequence. One message tells the newest state. */
export type NoticeRow = {
  account_id: Id<'acct'>
  mode: Mode
  /** Of the order. */
  id: Id<'ord'>
  /** The last change that it has to be told. */
  sequence: number
  /** How often it could not be told since the last success, and since when. */
  attempts: number
  failing_since: Date | null
}

export type ClaimedNotice = Claimed & { id: Id<'ord'> }

export const claimNotices = claimStatement<ClaimedNotice>('order_notices')
export const noticeLeases = leaseStatements('order_notices')

/** Orders of platforms that want to be told. */
export const noteOrders = statement<
  never,
  {
    account_ids: readonly string[]
    modes: readonly string[]
    order_ids: readonly string[]
    sequences: readonly number[]
  }
>(
  'note_orders',
  `/* tenantless: the relay's batch holds events of several tenants; each order is named with its own account_id and mode */
   insert into order_notices as n (account_id, mode, id, sequence, due_at, created_at)
   select c.account_id, c.mode, c.order_id, named.sequence, prokura_now(), prokura_now()
   from unnest($account_ids::text[], $modes::mode[], $order_ids::text[], $sequences::int[]) as named (account_id, mode, order_id, sequence)
   join checkouts c on c.account_id = named.account_id and c.mode = named.mode and c.order_id = named.order_id
   where c.notify ->> 'webhook_url' is not null
   on conflict (account_id, mode, id) do update
     set sequence = greatest(n.sequence, excluded.sequence), due_at = coalesce(least(n.due_at, excluded.due_at), excluded.due_at)`,
)

/** For the worker that claimed it, as long as its lease is the last one. */
export const lockClaimedNotice = statement<NoticeRow, Tenanted & { id: string; lease_token: bigint }>(
  'lock_claimed_notice',
  `select account_id, mode, id, sequence, attempts, failing_since from order_notices
   where account_id = $account_id and mode = $mode and id = $id and lease_token = $lease_token for update`,
)

/** Told up to `sequence`: due again only where more has happened since. */
export const settleNotice = statement<
  never,
  Tenanted & { id: string; lease_token: bigint; sequence: number; now: Date }
>(
  'settle_notice',
  `update order_notices set lease_until = null, attempts = 0, failing_since = null,
     due_at = case when sequence > $sequence then $now::timestamptz end
   where account_id = $account_id and mode = $mode and id = $id and lease_token = $lease_token`,
)

/** Not told: again at `due_at`, or never where it is null. */
export const putOffNotice = statement<
  never,
  Tenanted & { id: string; lease_token: bigint; due_at: Date | null; now: Date; error: string }
>(
  'put_off_notice',
  `update order_notices set lease_until = null, attempts = attempts + 1, failing_since = coalesce(failing_since, $now), due_at = $due_at,
     error = $error
   where account_id = $account_id and mode = $mode and id = $id and lease_token = $lease_token`,
)
