import type { Mode } from '../../../contract/context.ts'
import type { Fragment } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { sql } from '../../../platform/database/fragment.ts'
import type { Item, ItemRow } from './item.ts'
import { columns, selectItemsByUrl } from './items.sql.ts'

type Tenanted = { account_id: Id<'acct'>; mode: Mode }

/** A merchant's items that are for sale. */
export const publishedItems: Fragment<
  Pick<Item, 'id' | 'url' | 'variants'>,
  Tenanted
> = sql`select id, url, variants from catalog_items
   where account_id = $account_id and mode = $mode and status = 'published'`

/** A published item of any merchant, by its id alone. */
export const publishedItem: Fragment<Item, { mode: Mode; id: string }> =
  sql`/* tenantless: what is published is there for everybody */
   select ${columns} from catalog_items where mode = $mode and id = $id and status = 'published'`

/** The same by one of its variants: `variant` is `[{"id": "var_…"}]`. */
export const publishedItemOfVariant: Fragment<Item, { mode: Mode; variant: string }> =
  sql`/* tenantless: what is published is there for everybody */
   select ${columns} from catalog_items where mode = $mode and variants @> $variant::jsonb and status = 'published'`

/** Everything that is published, by anybody. */
export const itemsPublished: Fragment<
  Pick<Item, 'account_id' | 'mode' | 'id' | 'updated_at'>,
  object
> = sql`/* tenantless: what is published is there for everybody */
   select account_id, mode, id, updated_at from catalog_items where status = 'published'`

/** Items of any status, with their variants. */
export const itemVariants: Fragment<
  Pick<Item, 'account_id' | 'mode' | 'id' | 'variants'>,
  object
> = sql`/* tenantless: the statement around it names the tenant */ select account_id, mode, id, variants from catalog_items`

/** A merchant's published item. */
export const itemForSale: Fragment<Item, Tenanted & { id: string }> =
  sql`select ${columns} from catalog_items where account_id = $account_id and mode = $mode and id = $id and status = 'published'`

const namesVariant = (member: string) =>
  `select i.id from unnest($names::text[]) as said join catalog_items i on i.account_id = $account_id and i.mode = $mode
     and i.variants @> jsonb_build_array(jsonb_build_object('${member}', said))`

/** A merchant's published items that these names mean: ids of items and variants, SKUs, barcodes, handles. `urls`: as `comparableUrl`. */
export const itemsNamed: Fragment<Item, Tenanted & { names: readonly string[]; urls: readonly string[] }> =
  sql`select ${columns} from catalog_items
   where account_id = $account_id and mode = $mode and status = 'published' and id in (
     select unnest($names::text[])
     union ${namesVariant('id')} union ${namesVariant('sku')} union ${namesVariant('barcode')}
     union select id from catalog_items
       where account_id = $account_id and mode = $mode and handle = any($names::text[]) and status <> 'archived'
     union select id from catalog_items
       where account_id = $account_id and mode = $mode and prokura_comparable_url(url_key) = any($urls::text[]) and status <> 'archived')`

/** What these items are searched by, if they are published. */
export const listingsOfItems: Fragment<
  object,
  { account_ids: readonly string[]; modes: readonly string[]; ids: readonly string[] }
> = sql`/* tenantless: each item names its own */
   select listed.* from (
     select distinct account_id, mode, id from unnest($account_ids::text[], $modes::mode[], $ids::text[]) as of (account_id, mode, id)
   ) named
   join catalog_items i on i.account_id = named.account_id and i.mode = named.mode and i.id = named.id
   cross join lateral prokura_listing(i) listed`

/** Published items by their URLs: see `resolveUrls`. */
export const itemsByUrl: Fragment<
  ItemRow,
  { hosts: readonly string[]; mode: Mode; urls: readonly string[] }
> = selectItemsByUrl

export const itemTimes = [
  'created_at',
  'updated_at',
  'published_at',
  'archived_at',
] as const satisfies readonly (keyof ItemRow)[]
