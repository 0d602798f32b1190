import { statement } from '../../contract/statement.ts'
import type { Id } from '../../core/id.ts'
import { sql } from '../../platform/database/fragment.ts'
import { accountById } from '../accounts/api-keys/reads.sql.ts'

export const selectAccountSettings = statement<
  { settings: Record<string, unknown> },
  { account_id: Id<'acct'> }
>('select_account_settings', sql`select settings from ${accountById} a`)
