import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { aggregate, type Tenanted } from '../../../platform/aggregate/aggregate.ts'
import { claimByMeansStatement, leaseStatements } from '../../../platform/work/lease.sql.ts'
import type { Claimed } from '../../../platform/work/lease.ts'
import type { SaleRow } from './sale.ts'

const sales = aggregate<SaleRow>()({
  table: 'sales',
  columns: `account_id, mode, id, order_id, state, terms, instrument, sealed_token, amount, currency, rail, hold_reference, hold_expires_at,
    capture_reference, captured_amount, call, call_number, call_amount, tries, asked, may_have_left, heard, sent_at, asked_at,
    not_before, put_off, failure, due_at, created_at, updated_at`,
  key: ['id'],
  json: ['terms', 'instrument', 'put_off', 'failure'],
  fixed: ['order_id', 'terms', 'instrument', 'amount', 'currency'],
})

export const insertSale = sales.insert('insert_sale')
export const selectSale = sales.select('select_sale')
export const selectSaleOfOrder = statement<SaleRow, Tenanted & { order_id: string }>(
  'select_sale_of_order',
  `select ${sales.columns} from sales where account_id = $account_id and mode = $mode and order_id = $order_id`,
)
/** Under the lock of a claimed sale, before a call leaves: the lease goes on. */
export const journalSale = sales.update('journal_sale')
/** Under that lock, until the sale is due again. */
export const restSale = sales.update('rest_sale', { endsLease: true })

export type ClaimedSale = Claimed & { id: Id<'sal'> }

/** A sale that is paid by a shared token needs another rail than the rest. */
export const claimSales = claimByMeansStatement<
  ClaimedSale,
  { modes: readonly Mode[]; are_shared: readonly boolean[] }
>('sales', {
  modes: ['mode', 'mode'],
  are_shared: [`(instrument->>'kind' is not distinct from 'shared_payment_token')`, 'boolean'],
})
export const saleLeases = leaseStatements('sales')

/** For the worker that claimed it, as long as its lease is the last one. */
export const lockClaimedSale = statement<SaleRow, Tenanted & { id: string; lease_token: bigint }>(
  'lock_claimed_sale',
  `select ${sales.columns} from sales
   where account_id = $account_id and mode = $mode and id = $id and lease_token = $lease_token
   for update`,
)

/** The sales whose orders were decided. */
export const wakeSales = statement<
  never,
  { account_ids: readonly string[]; modes: readonly string[]; order_ids: readonly string[] }
>(
  'wake_sales',
  `/* tenantless: the relay's batch holds events of several tenants; each order is named with its own account_id and mode */
   update sales s set due_at = prokura_now()
   from (
     select s.account_id, s.mode, s.id from sales s
     join unnest($account_ids::text[], $modes::mode[], $order_ids::text[]) as named (account_id, mode, order_id)
       on s.account_id = named.account_id and s.mode = named.mode and s.order_id = named.order_id
     where s.state = 'ordered'
     order by s.account_id, s.mode, s.id for update of s
   ) as held
   where s.account_id = held.account_id and s.mode = held.mode and s.id = held.id`,
)
