import type { Scope } from '../../../contract/scopes.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import type { Tenanted } from '../../../platform/aggregate/aggregate.ts'
import { sql } from '../../../platform/database/fragment.ts'
import { rightsOfKey } from '../../accounts/api-keys/reads.sql.ts'
import type { Freezes } from '../../accounts/controls/public.ts'
import { freezesOf } from '../../accounts/controls/reads.sql.ts'

export type ActingKeyRow = Freezes & {
  id: Id<'key'>
  agent_id: Id<'agent'>
  profile_id: string | null
  scopes: Scope[]
}

/** What the key that wrote a message may do now, and what is frozen. No row: the key opens nothing any more. */
export const selectActingKey = statement<ActingKeyRow, Tenanted & { key_id: string }>(
  'select_acting_key',
  sql`select k.id, k.agent_id, k.profile_id, k.scopes, coalesce(c.frozen, false) as frozen,
     coalesce(c.frozen_profile_ids, '{}') as frozen_profile_ids, coalesce(c.frozen_agent_ids, '{}') as frozen_agent_ids
   from (${rightsOfKey}) k left join (${freezesOf}) c on true`,
)
