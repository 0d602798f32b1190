import { statement } from '../../../contract/statement.ts'
import type { Tenanted } from '../../../platform/aggregate/aggregate.ts'
import type { Swept } from '../../../platform/retention/sweep.ts'
import type { CheckoutDestination } from '../checkouts/public.ts'

export type KnownAddress = Omit<CheckoutDestination, 'id'>

type AddressRow = { id: string; address: KnownAddress }

export const selectAddresses = statement<AddressRow, Tenanted & { email: string; limit: number }>(
  'select_conformance_addresses',
  `select id, address from conformance_addresses
   where account_id = $account_id and mode = $mode and email = $email order by is_seeded desc, created_at, id limit $limit`,
)

export const writeAddress = statement<
  never,
  Tenanted & { email: string; id: string; address: string; is_seeded: boolean; now: Date }
>(
  'write_conformance_address',
  `insert into conformance_addresses (account_id, mode, email, id, address, is_seeded, created_at)
   values ($account_id, $mode, $email, $id, $address::jsonb, $is_seeded, $now)
   on conflict (account_id, mode, email, id) do update
     set address = excluded.address, is_seeded = conformance_addresses.is_seeded or excluded.is_seeded`,
)

export const deleteOldAddresses = statement<Swept, { before: Date; limit: number }>(
  'sweep_conformance_addresses',
  `/* tenantless: a sweep is of every account */
   with old as (
     select account_id, mode, email, id from conformance_addresses where not is_seeded and created_at < $before
     order by created_at limit $limit for update skip locked
   ), gone as (
     delete from conformance_addresses a using old o
     where a.account_id = o.account_id and a.mode = o.mode and a.email = o.email and a.id = o.id returning a.created_at
   )
   select count(*)::int as rows, min(created_at) as oldest from gone`,
)
