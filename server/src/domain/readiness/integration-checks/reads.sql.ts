import type { Mode } from '../../../contract/context.ts'
import type { Fragment } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { sql } from '../../../platform/database/fragment.ts'
import type { CheckRow } from './integration-check.ts'

type Tenanted = { account_id: Id<'acct'>; mode: Mode }

/** The last check of a kind that ended with a status. */
export const lastCheckOf: Fragment<CheckRow, Tenanted & { kind: string; status: string }> =
  sql`select account_id, mode, id, kind, destination_id, order_id, status, settings, finished_at from integration_checks
   where account_id = $account_id and mode = $mode and kind = $kind and status = $status
   order by id desc limit 1`
