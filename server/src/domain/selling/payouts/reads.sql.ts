import type { Fragment } from '../../../contract/statement.ts'
import type { Tenanted } from '../../../platform/aggregate/aggregate.ts'
import { sql } from '../../../platform/database/fragment.ts'

/** The account of a merchant at the payment rail, as the merchant record shows it. */
export const payoutAccount: Fragment<
  {
    id: string
    charges_enabled: boolean
    payouts_enabled: boolean
    requirements_due: string[]
    read_at: Date | null
  },
  Tenanted
> =
  sql`select id, coalesce(charges_enabled, false) as charges_enabled, coalesce(payouts_enabled, false) as payouts_enabled,
     requirements_due, read_at from payout_accounts where account_id = $account_id and mode = $mode`
