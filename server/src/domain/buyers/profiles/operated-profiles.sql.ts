import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'

/* tenantless: the operator names a profile by its id alone, and its account_id and mode are looked up */
export const selectProfileTenant = statement<{ account_id: Id<'acct'>; mode: Mode }, { id: string }>(
  'select_profile_tenant',
  `select account_id, mode from profiles where id = $id`,
)

type InReview = {
  account_id: Id<'acct'>
  mode: Mode
  id: Id<'prof'>
  first_name: string
  last_name: string
  country: string
  updated_at: Date
}

/* tenantless: the operator looks at what waits in every account_id and mode */
export const selectInReview = statement<InReview, Record<never, never>>(
  'select_profiles_in_review',
  `select account_id, mode, id, first_name, last_name, country, updated_at from profiles
   where issuing_state = 'in_review' order by updated_at, id limit 1000`,
)
