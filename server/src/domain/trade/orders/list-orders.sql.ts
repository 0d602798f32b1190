import type { Mode } from '../../../contract/context.ts'
import { type DeclaredStatement, statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import type { OrderRow } from './order.ts'
import { columns } from './orders.sql.ts'
import type { PurchaseIdsOfProfile } from './port.ts'

export type OrderFilter = {
  account_id: Id<'acct'>
  mode: Mode
  status: string | null
  payment_status: string | null
  created_after: string | null
  created_before: string | null
  q: string | null
  /** For the buyer's list: only purchases for this profile. */
  profile_id: string | null
}

type Paged = OrderFilter & { limit: number; offset: number }
type Counted = OrderFilter & { cap: number }

/** Whose list it is: the buyer's own orders, or the orders that a merchant has received. */
export type OwnerColumn = 'account_id' | 'merchant_account_id'

// What a merchant has sold to buyers without an account is held by its own account, which has not bought it.
// guard tenant-of-orders: rows of other accounts and of the other mode do not exist for the caller
const ofBuyer = `account_id = $account_id and mode = $mode and buyer is null`
// guard tenant-of-orders-of-a-merchant: rows of other accounts and of the other mode do not exist for the caller
const ofMerchant = `merchant_account_id = $account_id and mode = $mode`
const whose: Readonly<Record<OwnerColumn, string>> = { account_id: ofBuyer, merchant_account_id: ofMerchant }

/** `purchases` selects those of the profile. */
export function filtersOf(purchases: PurchaseIdsOfProfile): string {
  return `($status::text is null or status = $status)
  and ($payment_status::text is null or payment_status = $payment_status)
  and ($created_after::timestamptz is null or created_at > $created_after)
  and ($created_before::timestamptz is null or created_at < $created_before)
  and ($q::text is null or search like $q)
  and ($profile_id::text is null or purchase_intent_id in (${purchases.text}))`
}

export function selectOrders(
  side: OwnerColumn,
  purchases: PurchaseIdsOfProfile,
): DeclaredStatement<OrderRow, Paged> {
  return statement(
    '',
    `/* tenantless: the side says whose, the buyer or the merchant */ select ${columns} from orders where ${whose[side]} and ${filtersOf(purchases)}
     order by id desc limit $limit + 1 offset $offset`,
  )
}

export function countOrders(
  side: OwnerColumn,
  purchases: PurchaseIdsOfProfile,
): DeclaredStatement<{ counted: number }, Counted> {
  return statement(
    '',
    `/* tenantless: the side says whose, the buyer or the merchant */ select count(*)::int as counted from (
       select 1 from orders where ${whose[side]} and ${filtersOf(purchases)} limit $cap + 1) as first_ones`,
  )
}
