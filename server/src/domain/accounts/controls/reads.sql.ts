import type { Mode } from '../../../contract/context.ts'
import type { Fragment } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { sql } from '../../../platform/database/fragment.ts'
import type { Freezes } from './freezes.ts'

type Tenanted = { account_id: Id<'acct'>; mode: Mode }

/** What is frozen, without a lock; no row where nothing was ever frozen. */
export const freezesOf: Fragment<Freezes, Tenanted> =
  sql`select frozen, frozen_profile_ids, frozen_agent_ids from controls where account_id = $account_id and mode = $mode`

/** Another one after each update of the row. A row that was only locked keeps it. */
export const controlVersion: Fragment<{ version: string }, Tenanted> =
  sql`select xmin::text as version from controls where account_id = $account_id and mode = $mode`
