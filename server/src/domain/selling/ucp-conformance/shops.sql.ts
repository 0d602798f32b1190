import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import type { Tenanted } from '../../../platform/aggregate/aggregate.ts'

export type ShopRow = {
  account_id: Id<'acct'>
  mode: Mode
  names: ShopNames
  secret_hash: Buffer | null
}

/** What the suite calls the variants, and by rate card what it calls the ways of delivery. */
export type ShopNames = {
  readonly variants: Readonly<Record<string, string>>
  readonly options: Readonly<Record<string, string>>
}

export const selectShop = statement<ShopRow, Tenanted>(
  'select_conformance_shop',
  `select account_id, mode, names, secret_hash from conformance_shops where account_id = $account_id and mode = $mode`,
)

export const writeShop = statement<
  never,
  Tenanted & { names: string; secret_hash: Buffer | null; now: Date }
>(
  'write_conformance_shop',
  `insert into conformance_shops (account_id, mode, names, secret_hash, created_at, updated_at)
   values ($account_id, $mode, $names::jsonb, $secret_hash, $now, $now)
   on conflict (account_id, mode) do update
     set names = excluded.names, secret_hash = excluded.secret_hash, updated_at = excluded.updated_at`,
)
