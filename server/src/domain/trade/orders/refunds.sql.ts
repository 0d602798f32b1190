import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import type { PutOff } from '../../../core/put-off.ts'
import { aggregate, type Tenanted } from '../../../platform/aggregate/aggregate.ts'
import type { RefundStatus } from './machine.ts'

/** A refund as work: the request to the rail, and what is known of it. */
export type RefundRow = {
  account_id: Id<'acct'>
  mode: Mode
  id: Id<'rfd'>
  order_id: Id<'ord'>
  /** The attempt whose capture it gives back; null for an order that has its capture's reference itself. */
  cart_id: Id<'cart'> | null
  attempt: number | null
  amount: bigint
  currency: string
  /** The rail that it is sent to, from the first call on. */
  rail: string | null
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
  /** Since when and until when the rail turns it away. */
  put_off: PutOff | null
}

const refunds = aggregate<RefundRow>()({
  table: 'order_refunds',
  columns: `account_id, mode, id, order_id, cart_id, attempt, amount, currency, rail, status, tries, asked, may_have_left, reference,
    failure_code, sent_at, settled_at, due_at, created_at, put_off`,
  key: ['id'],
  json: ['put_off'],
})

export const insertRefund = refunds.insert('insert_order_refund')
/** Under the lock of a claimed refund, before a call leaves: the lease goes on. */
export const journalRefund = refunds.update('journal_order_refund', {
  only: ['rail', 'tries', 'may_have_left', 'sent_at'],
})
/** Under that lock, once a call has come home. */
export const restRefund = refunds.update('rest_order_refund', {
  only: ['status', 'asked', 'may_have_left', 'reference', 'failure_code', 'settled_at', 'due_at', 'put_off'],
  endsLease: true,
})

/** For the worker that claimed it, as long as its lease is the last one. */
export const lockClaimedRefund = statement<
  RefundRow & {
    capture_reference: string | null
    capture_rail: string | null
    purchase_intent_id: Id<'pi'> | null
  },
  Tenanted & { id: string; lease_token: bigint }
>(
  'lock_claimed_order_refund',
  `select r.*, o.capture_reference, o.capture_rail, o.purchase_intent_id
   from (
     select ${refunds.columns} from order_refunds
     where account_id = $account_id and mode = $mode and id = $id and lease_token = $lease_token for update
   ) r
   join orders o on o.account_id = r.account_id and o.mode = r.mode and o.id = r.order_id`,
)
