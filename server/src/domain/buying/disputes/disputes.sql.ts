import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { sql } from '../../../platform/database/fragment.ts'
import { claimByMeansStatement, leaseStatements } from '../../../platform/work/lease.sql.ts'
import type { Claimed } from '../../../platform/work/lease.ts'
import { orderOfHold } from '../../trade/orders/reads.sql.ts'
import { attemptOfHold } from '../execution/reads.sql.ts'

type Tenanted = { account_id: Id<'acct'>; mode: Mode }

type Disputed = {
  account_id: Id<'acct'>
  order_id: Id<'ord'>
  merchant_account_id: Id<'acct'> | null
  currency: string
}

/** The order that a hold has paid; no row: it is nobody's here, or not written yet. */
export const selectDisputed = statement<Disputed, { mode: Mode; hold: string }>(
  'select_disputed_order',
  sql`/* tenantless: whose hold it is is found out here, by its account_id */
   select o.account_id, o.order_id, o.merchant_account_id, o.currency from ${orderOfHold(attemptOfHold)} o limit 1`,
)

/** Each event once, also when it comes three times at once. */
export const insertEvent = statement<
  { id: string },
  {
    mode: Mode
    id: string
    type: string
    object_id: string
    account_id: string | null
    happened_at: Date
    received_at: Date
  }
>(
  'insert_rail_event',
  // guard each-event-once: what comes again is known, and nothing follows from it
  `insert into rail_events (mode, id, type, object_id, account_id, happened_at, received_at)
   values ($mode, $id, $type, $object_id, $account_id, $happened_at, $received_at)
   on conflict (mode, id) do nothing returning id`,
)

/** Begins a dispute, or has it looked at again. */
export const tellOfDispute = statement<
  never,
  Tenanted & {
    id: string
    rail: string
    hold: string
    order_id: string
    merchant_account_id: string | null
    currency: string
    now: Date
  }
>(
  'tell_of_dispute',
  `insert into disputes (account_id, mode, id, rail, hold, order_id, merchant_account_id, status, currency, due_at, created_at, updated_at)
   values ($account_id, $mode, $id, $rail, $hold, $order_id, $merchant_account_id, 'needs_response', $currency, $now, $now, $now)
   on conflict (account_id, mode, id) do update set told = disputes.told + 1, due_at = excluded.due_at`,
)

export type DisputeRow = Tenanted & {
  id: string
  rail: string
  hold: string
  order_id: Id<'ord'>
  merchant_account_id: Id<'acct'> | null
  status: 'needs_response' | 'under_review' | 'closed'
  outcome: 'won' | 'lost' | 'dropped' | null
  amount: bigint
  currency: string
  due_by: Date | null
  withdrawn_amount: bigint
  followed_amount: bigint
  recovered_amount: bigint
  owed_amount: bigint
  move: 'recover' | 'pay' | null
  move_amount: bigint | null
  moves: number
  told: number
}

export type ClaimedDispute = Claimed & { id: string }

export const disputeLeases = leaseStatements('disputes')
export const claimDisputes = claimByMeansStatement<ClaimedDispute, { modes: readonly Mode[] }>('disputes', {
  modes: ['mode', 'mode'],
})

const columns = `account_id, mode, id, rail, hold, order_id, merchant_account_id, status, outcome, amount, currency, due_by, withdrawn_amount,
     followed_amount, recovered_amount, owed_amount, move, move_amount, moves, told`

type Held = Tenanted & { id: string; lease_token: bigint }

/** By the worker that holds it. */
export const lockClaimedDispute = statement<DisputeRow, Held>(
  'lock_claimed_dispute',
  `select ${columns} from disputes
   where account_id = $account_id and mode = $mode and id = $id and lease_token = $lease_token for update`,
)

/** Under that lock. `due_at` null: once somebody tells of it. What was told since it was read makes it due at once. */
export const restDispute = statement<
  never,
  Omit<DisputeRow, 'rail' | 'hold' | 'order_id' | 'merchant_account_id' | 'currency'> & {
    due_at: Date | null
    now: Date
  }
>(
  'rest_dispute',
  `update disputes set status = $status, outcome = $outcome, amount = $amount, due_by = $due_by, withdrawn_amount = $withdrawn_amount,
     followed_amount = $followed_amount, recovered_amount = $recovered_amount, owed_amount = $owed_amount, move = $move,
     move_amount = $move_amount, moves = $moves, updated_at = $now::timestamptz, lease_until = null,
     due_at = case when told = $told then $due_at::timestamptz else $now::timestamptz end
   where account_id = $account_id and mode = $mode and id = $id`,
)

/** What merchants owe, each in each currency. */
export const selectOwed = statement<
  { merchant_account_id: Id<'acct'>; currency: string; amount: bigint },
  { mode: Mode }
>(
  'select_owed_by_merchants',
  `/* tenantless: the operator sees what every account_id owes */
   select merchant_account_id, currency, sum(owed_amount)::bigint as amount from disputes
   where mode = $mode and owed_amount > 0 group by merchant_account_id, currency order by merchant_account_id, currency`,
)
