import type { Mode } from '../../../contract/context.ts'
import { type Statement, statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import type { PutOff } from '../../../core/put-off.ts'
import type { RefundStatus } from './machine.ts'

/** A refund as work: what is asked of the rail, and what is known of it. */
export type RefundRow = {
  account_id: Id<'acct'>
  mode: Mode
  id: Id<'rfd'>
  order_id: Id<'ord'>
  cart_id: Id<'cart'>
  attempt: number
  amount: bigint
  currency: string
  status: RefundStatus
  tries: number
  asked: number
  may_have_left: boolean
  reference: string | null
  failure_code: string | null
  sent_at: Date | null
  settled_at: Date | null
  due_at: Date | null
  created_at: Date
  /** The rail turns it away. */
  put_off: PutOff | null
}

const columns = `account_id, mode, id, order_id, cart_id, attempt, amount, currency, status, tries, asked, may_have_left, reference,
  failure_code, sent_at, settled_at, due_at, created_at`

export const insertRefund = statement<never, Omit<RefundRow, 'put_off'>>(
  'insert_order_refund',
  `insert into order_refunds (${columns})
   values ($account_id, $mode, $id, $order_id, $cart_id, $attempt, $amount, $currency, $status, $tries, $asked, $may_have_left,
     $reference, $failure_code, $sent_at, $settled_at, $due_at, $created_at)`,
)

/** Whether an id is that of a refund already, of whatever order. */
export const selectRefundExists = statement<{ id: Id<'rfd'> }, Pick<RefundRow, 'account_id' | 'mode' | 'id'>>(
  'select_order_refund_exists',
  `select id from order_refunds where account_id = $account_id and mode = $mode and id = $id`,
)

/** Held by the worker that claimed it, as long as its lease is the last one. */
export const lockClaimedRefund = statement<
  RefundRow,
  { account_id: Id<'acct'>; mode: Mode; id: string; lease_token: bigint }
>(
  'lock_claimed_order_refund',
  `select ${columns}, put_off from order_refunds
   where account_id = $account_id and mode = $mode and id = $id and lease_token = $lease_token
   for update`,
)

/** Under that lock, before a call leaves: the lease goes on. */
export const journalRefund = statement<
  never,
  Pick<RefundRow, 'account_id' | 'mode' | 'id' | 'tries' | 'may_have_left' | 'sent_at'>
>(
  'journal_order_refund',
  `update order_refunds set tries = $tries, may_have_left = $may_have_left, sent_at = $sent_at
   where account_id = $account_id and mode = $mode and id = $id`,
)

/** Under that lock: ends the lease, and looks again then. Nothing else is known. */
export function restClaimedRefund(refund: RefundRow, dueAt: Date): Statement<never> {
  const put_off = refund.put_off && JSON.stringify(refund.put_off)
  return restRefund({ ...refund, due_at: dueAt, put_off })
}

/** Under that lock, once a call has come home: ends the lease. */
export const restRefund = statement<
  never,
  Pick<
    RefundRow,
    | 'account_id'
    | 'mode'
    | 'id'
    | 'status'
    | 'asked'
    | 'may_have_left'
    | 'reference'
    | 'failure_code'
    | 'settled_at'
    | 'due_at'
  > & { put_off: string | null }
>(
  'rest_order_refund',
  `update order_refunds set status = $status, asked = $asked, may_have_left = $may_have_left, reference = $reference,
     failure_code = $failure_code, settled_at = $settled_at, due_at = $due_at, put_off = $put_off,
     lease_until = null
   where account_id = $account_id and mode = $mode and id = $id`,
)
