import type { Mode } from '../../../contract/context.ts'
import type { Fragment } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { sql } from '../../../platform/database/fragment.ts'

type Tenanted = { account_id: Id<'acct'>; mode: Mode }

/** The places from which a merchant's goods may leave. */
export const activePlaces: Fragment<
  { id: string; timezone: string; latitude: number | null; longitude: number | null },
  Tenanted
> = sql`select id, timezone, latitude, longitude from business_locations
   where account_id = $account_id and mode = $mode and status = 'active'`
