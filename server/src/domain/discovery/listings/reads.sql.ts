import type { Fragment } from '../../../contract/statement.ts'
import type { Tenanted } from '../../../platform/aggregate/aggregate.ts'
import { sql } from '../../../platform/database/fragment.ts'
import { itemTypes } from '../../selling/catalog/public.ts'

const kinds = itemTypes.map((kind) => `'${kind}'`).join(', ')

/** The kinds of items that a merchant has published, in the order of the interface. */
export const listedTypes: Fragment<{ item_type: string }, Tenanted> =
  sql`select kind as item_type from unnest(array[${kinds}]) with ordinality as every (kind, place)
   where exists (select from listings l where l.account_id = $account_id and l.mode = $mode and l.item_type = kind) order by place`

/** Whether a merchant has published anything that has a price. */
export const hasListings: Fragment<{ is_listed: boolean }, Tenanted> =
  sql`select exists (select from listings l where l.account_id = $account_id and l.mode = $mode) as is_listed`

/** The same of one kind of items. */
export const hasListingsOf: Fragment<{ is_listed: boolean }, Tenanted & { item_type: string | null }> =
  sql`select exists (
     select from listings l where l.account_id = $account_id and l.mode = $mode and l.item_type = $item_type) as is_listed`

/** A few of a merchant's items that can be bought now, the newest first, with their lowest prices. */
export const newestListings: Fragment<{ id: string; currency: string; price_min: bigint }, Tenanted> =
  sql`select l.id, l.currency, l.price_min from listings l
   where l.account_id = $account_id and l.mode = $mode and l.is_available order by l.id desc limit 5`
