import { type DeclaredStatement, statement } from '../../../contract/statement.ts'
import { filtersOf, type OrderFilter, type OwnerColumn } from './list-orders.sql.ts'
import type { OrderRow } from './order.ts'
import type { PurchaseIdsOfProfile } from './port.ts'

/** `q` of the filter is null: the fields here have it in the forms that the search uses. */
export type OrderSearch = OrderFilter & {
  /** Anywhere in the text of the newest orders. */
  anywhere: string
  /** At the beginning of an id, of all orders: from this text, and before the next one. */
  starts_from: string
  starts_before: string
  /** A merchant's own reference, as it was written. */
  typed: string
  reach: number
}

type Paged = OrderSearch & { limit: number; offset: number }

/**
 * Orders found by a text, in the same way as purchases: for the newest ten thousand the whole text is read; for all others, the beginning
 * of the id, and for the merchant its own reference.
 */
export function searchOrders(
  side: OwnerColumn,
  purchases: PurchaseIdsOfProfile,
): DeclaredStatement<OrderRow, Paged> {
  return statement(
    '',
    `${foundBy(side, filtersOf(purchases))}
     select * from orders where ${side} = $account_id and mode = $mode
       and id in (select id from found order by id desc limit $limit + 1 offset $offset)
     order by id desc`,
  )
}

export function countFoundOrders(
  side: OwnerColumn,
  purchases: PurchaseIdsOfProfile,
): DeclaredStatement<{ counted: number }, OrderSearch> {
  return statement(
    '',
    `${foundBy(side, filtersOf(purchases))} select least(count(*), $reach)::int as counted from found`,
  )
}

function foundBy(side: OwnerColumn, filters: string): string {
  const isTheirs = side === 'account_id' ? ' and buyer is null' : ''
  const byReference = `union
    select id from orders
    where merchant_account_id = $account_id and mode = $mode and ${filters} and confirmation_reference = $typed`
  return `with /* tenantless: the side says whose, the buyer or the merchant */ newest as (
      select * from orders where ${side} = $account_id and mode = $mode${isTheirs} order by id desc limit 10000
    ), found as (
      (select id from newest where ${filters} and search like $anywhere order by id desc limit $reach)
      union
      (select id from orders where ${side} = $account_id and mode = $mode${isTheirs} and ${filters} and id >= $starts_from and id < $starts_before
       order by id desc limit $reach)
      ${side === 'merchant_account_id' ? byReference : ''}
    )`
}
