import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'

/* tenantless: the operator names a purchase by its id alone, and its account_id and mode are looked up */
export const selectIntentTenant = statement<
  {
    id: Id<'pi'>
    account_id: Id<'acct'>
    mode: Mode
    status: string
    currency: string
    max_allowed_amount: bigint
  },
  { id: string }
>(
  'select_intent_tenant',
  `select id, account_id, mode, status, currency, max_allowed_amount from purchase_intents where id = $id`,
)
