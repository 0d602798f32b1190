import { statement } from '../../../../contract/statement.ts'

/** How many purchases one event makes due. Each of these makes more due in its turn, so that one address holds up nothing else. */
export const wakeMax = 100

// By due time, from the latest: rows that are due already come last. The update waits for a worker that holds a row at this moment, since
// the worker may have read the profile before the address was there.
const waiting = (which: string) => `
   update purchase_intents i set due_at = prokura_now()
   from (
     select found.account_id, found.mode, found.id
     from unnest($account_ids::text[], $modes::mode[], $profile_ids::text[]) as named (account_id, mode, profile_id)
     cross join lateral (
       select w.account_id, w.mode, w.id from purchase_intents w
       where w.account_id = named.account_id and w.mode = named.mode ${which}
         and w.ship_to = 'awaited' and w.status = 'awaiting_approval'
       order by w.due_at desc limit $limit for no key update
     ) found
   ) as held
   where i.account_id = held.account_id and i.mode = held.mode and i.id = held.id`

type OfProfiles = {
  account_ids: readonly string[]
  modes: readonly string[]
  profile_ids: readonly (string | null)[]
  limit: number
}

/** After a change of these profiles: purchases that wait for an address of theirs. */
export const wakeAwaitingAddress = statement<never, OfProfiles>(
  'wake_awaiting_address',
  `/* tenantless: the relay's batch holds events of several tenants; each profile is named with its own account_id and mode */
   ${waiting('and w.profile_id = named.profile_id')}`,
)

/** After an unfreeze: all purchases of the tenant that wait for an address, since their profiles may have one. */
export const wakeTenantAwaitingAddress = statement<never, OfProfiles>(
  'wake_tenant_awaiting_address',
  `/* tenantless: the relay's batch holds events of several tenants; each is named with its own account_id and mode */
   ${waiting('')}`,
)

/** More purchases of one profile that are not due yet. */
export const wakeMoreAwaitingAddress = statement<never, OfProfiles>(
  'wake_more_awaiting_address',
  `/* tenantless: the profile is named with its own account_id and mode */
   ${waiting('and w.profile_id = named.profile_id and w.due_at > prokura_now()')}`,
)
