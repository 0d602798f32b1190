import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { aggregate } from '../../../platform/aggregate/aggregate.ts'
import { claimStatement } from '../../../platform/work/lease.sql.ts'
import type { Claimed } from '../../../platform/work/lease.ts'
import type { EntryRow } from './entry-row.ts'
import type { RegistryChannel } from './found-protocol.ts'

const entries = aggregate<EntryRow>()({
  table: 'registry_entries',
  columns: `account_id, mode, id, origin, host, name, site_name, channel, found, evidence, speaks, rank, payment_methods,
    payment_instruments, item_types, mpp_categories, failures, looked_at, seq, created_at, updated_at, due_at, more_hosts`,
  key: ['id'],
  json: ['found', 'evidence'],
  fixed: ['origin', 'host'],
})

export const insertEntry = entries.insert('insert_registry_entry')

export const lockEntry = entries.lock('lock_registry_entry', 'for update')

export const deleteEntry = statement<never, { account_id: Id<'acct'>; mode: Mode; id: string }>(
  'delete_registry_entry',
  'delete from registry_entries where account_id = $account_id and mode = $mode and id = $id',
)

export const selectEntryOfOrigin = statement<
  EntryRow,
  { account_id: Id<'acct'>; mode: Mode; origin: string }
>(
  'select_registry_entry_of_origin',
  `select ${entries.columns} from registry_entries where account_id = $account_id and mode = $mode and origin = $origin`,
)

/** The entries of a mode by their hosts. */
export const selectEntries = statement<EntryRow, { account_id: Id<'acct'>; mode: Mode }>(
  'select_registry_entries',
  `select ${entries.columns} from registry_entries where account_id = $account_id and mode = $mode order by host, origin`,
)

/** Live sites that speak UCP, the longest known first. */
export const selectUcpEntries = statement<
  Pick<EntryRow, 'id' | 'origin' | 'host' | 'name' | 'site_name' | 'item_types' | 'found'>,
  { account_id: Id<'acct'>; mode: Mode }
>(
  'select_ucp_registry_entries',
  `select id, origin, host, name, site_name, item_types, found from registry_entries
   where account_id = $account_id and mode = $mode and 'ucp' = any(speaks) and channel is distinct from 'browser' order by created_at, id`,
)

export type ClaimedEntry = Claimed & {
  id: Id<'reg'>
  origin: string
  channel: RegistryChannel | null
}

export const claimDueEntries = claimStatement<ClaimedEntry>('registry_entries', ['origin', 'channel'])

/** Of several at one host, the one that speaks most comes first, then the oldest. */
export const selectEntriesAtHosts = statement<
  EntryRow,
  { account_id: Id<'acct'>; mode: Mode; hosts: readonly string[] }
>(
  'select_registry_entries_at_hosts',
  `select ${entries.columns} from registry_entries
   where account_id = $account_id and mode = $mode and host = any($hosts::text[]) order by rank, created_at, id`,
)

/** Takes an entry for a look now, unless somebody is looking at it. */
export const claimEntryNow = statement<
  ClaimedEntry,
  { account_id: Id<'acct'>; mode: Mode; id: string; lease_seconds: number }
>(
  'claim_registry_entry_now',
  `update registry_entries set lease_token = lease_token + 1, lease_until = prokura_now() + make_interval(secs => $lease_seconds)
   where account_id = $account_id and mode = $mode and id = $id and (lease_until is null or lease_until <= prokura_now())
   returning account_id, mode, id, lease_token, step_failures, origin, channel`,
)

/** Only while the lease is the last one; returns the row if it was, locked. */
export const lockHeldEntry = statement<
  EntryRow,
  { account_id: Id<'acct'>; mode: Mode; id: string; lease_token: bigint }
>(
  'lock_held_registry_entry',
  `select ${entries.columns} from registry_entries
   where account_id = $account_id and mode = $mode and id = $id and lease_token = $lease_token for update`,
)

/** Run it under `lockHeldEntry`. */
export const settleEntry = entries.update('settle_registry_entry', { endsLease: true })
