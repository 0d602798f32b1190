import { statement } from '../../contract/statement.ts'
import type { Id } from '../../core/id.ts'

export const selectAccountSettings = statement<
  { settings: Record<string, unknown> },
  { account_id: Id<'acct'> }
>(
  'select_account_settings',
  `/* tenantless: an account's settings hold in both of its modes */ select settings from accounts where id = $account_id`,
)
