import type { Tenant } from '../../../contract/context.ts'
import type { CartRow } from './cart.ts'
import type { CartWrite } from './carts.sql.ts'
import type { IntentRow } from './intent.ts'
import type { IntentWrite } from './intents.sql.ts'

/** An intent as its statements take it. */
export function intentWriteOf(row: IntentRow, tenant: Tenant): IntentWrite {
  return {
    ...row,
    account_id: tenant.accountId,
    mode: tenant.mode,
    items: JSON.stringify(row.items),
    fulfillment: JSON.stringify(row.fulfillment),
    policy_decision: JSON.stringify(row.policy_decision),
    next_action: jsonOrNull(row.next_action),
    failure: jsonOrNull(row.failure),
    offer_summary: jsonOrNull(row.offer_summary),
    reapproval: jsonOrNull(row.reapproval),
    retry: jsonOrNull(row.retry),
    metadata: JSON.stringify(row.metadata),
  }
}

/** A cart as its statements take it. */
export function cartWriteOf(row: CartRow, tenant: Tenant): CartWrite {
  return {
    ...row,
    account_id: tenant.accountId,
    mode: tenant.mode,
    items: JSON.stringify(row.items),
    offer: jsonOrNull(row.offer),
    failure: jsonOrNull(row.failure),
    attempts_data: JSON.stringify(row.attempts_data),
  }
}

function jsonOrNull(value: object | null): string | null {
  return value === null ? null : JSON.stringify(value)
}
