import type { Mode } from '../../../contract/context.ts'
import { statement } from '../../../contract/statement.ts'
import type { Id } from '../../../core/id.ts'
import { aggregate, type Tenanted } from '../../../platform/aggregate/aggregate.ts'
import { sql } from '../../../platform/database/fragment.ts'
import { accountsAtHosts } from '../merchant/reads.sql.ts'
import type { ItemRow } from './item.ts'

const items = aggregate<ItemRow>()({
  table: 'catalog_items',
  columns: `account_id, mode, id, handle, title, description, url, url_key, item_type, categories, media, options, variants,
    status, metadata, seq, created_at, updated_at, published_at, archived_at, required_inputs`,
  key: ['id'],
  json: ['media', 'options', 'variants', 'metadata', 'required_inputs'],
})
export const { columns } = items

export const insertItem = items.insert('insert_catalog_item')
export const selectItem = items.select('select_catalog_item')
export const lockItem = items.lock('lock_catalog_item', 'for update')
export const updateItemRow = items.update('update_catalog_item')

/**
 * Items with counted stock left. In the order of their ids, so that two orders over the same items wait for each other instead of
 * deadlocking; orders over items without counted stock wait for nobody.
 */
export const lockCountedItems = statement<ItemRow, Tenanted & { ids: readonly string[] }>(
  'lock_counted_catalog_items',
  `select ${columns} from catalog_items where account_id = $account_id and mode = $mode and id = any($ids::text[])
     and jsonb_path_exists(variants, '$[*].quantity ? (@ > 0)')
   order by id for update`,
)

/** The items that a file can meet: those that it names, and those that have a handle or a URL which it gives to another item. */
export const lockItemsNamed = statement<
  ItemRow,
  Tenanted & { ids: readonly string[]; handles: readonly string[]; url_keys: readonly string[] }
>(
  'lock_named_catalog_items',
  `select ${columns} from catalog_items where account_id = $account_id and mode = $mode and id in (
     select id from catalog_items where account_id = $account_id and mode = $mode and id = any($ids::text[])
     union
     select id from catalog_items
     where account_id = $account_id and mode = $mode and handle = any($handles::text[]) and status <> 'archived'
     union
     select id from catalog_items
     where account_id = $account_id and mode = $mode and url_key = any($url_keys::text[]) and status <> 'archived')
   order by id for update`,
)

/** Many rows as one parameter. */
export function writesOf(rows: readonly ItemRow[]): string {
  return JSON.stringify(rows)
}

const record = `json_to_recordset($items::json) as r (id text, handle text, title text, description text, url text, url_key text,
  item_type text, categories text[], media jsonb, options jsonb, variants jsonb, status text, metadata jsonb, seq integer,
  created_at timestamptz, updated_at timestamptz, published_at timestamptz, archived_at timestamptz,
  required_inputs jsonb)`

export const insertItems = statement<never, Tenanted & { items: string }>(
  'insert_catalog_items',
  `insert into catalog_items (${columns})
   select $account_id as account_id, $mode as mode, r.* from ${record}`,
)

/** Run it under a lock. */
export const updateItems = statement<never, Tenanted & { items: string }>(
  'update_catalog_items',
  `update catalog_items as c set handle = r.handle, title = r.title, description = r.description, url = r.url, url_key = r.url_key,
     item_type = r.item_type, categories = r.categories, media = r.media, options = r.options, variants = r.variants,
     status = r.status, metadata = r.metadata, required_inputs = r.required_inputs, updated_at = r.updated_at, published_at = r.published_at
   from ${record}
   where c.account_id = $account_id and c.mode = $mode and c.id = r.id`,
)

/** In the order in which they were made, without archived ones. */
export const selectItemsAfter = statement<ItemRow, Tenanted & { after: string; limit: number }>(
  'select_catalog_items_after',
  `select ${columns} from catalog_items
   where account_id = $account_id and mode = $mode and id > $after and status <> 'archived' order by id limit $limit`,
)

/**
 * Published items by their URLs in the form of `comparableUrl`, of every merchant of a mode that names one of the hosts: `merchantForUrl`
 * decides which of them a URL belongs to.
 */
export const selectItemsByUrl = statement<
  ItemRow,
  { hosts: readonly string[]; mode: Mode; urls: readonly string[] }
>(
  'select_catalog_items_by_url',
  sql`select ${columns} from catalog_items
   where account_id in ${accountsAtHosts}
     and mode = $mode and prokura_comparable_url(url_key) = any($urls::text[]) and status = 'published'`,
)

/** The tenant's items that have one of these variants. */
export const selectItemsOfVariants = statement<ItemRow, Tenanted & { variant_ids: readonly string[] }>(
  'select_catalog_items_of_variants',
  `select ${columns} from catalog_items
   where account_id = $account_id and mode = $mode and id in (
     select owner.id from unnest($variant_ids::text[]) as wanted (id)
     join catalog_items owner on owner.account_id = $account_id and owner.mode = $mode
       and owner.variants @> jsonb_build_array(jsonb_build_object('id', wanted.id)))`,
)

type ItemFilter = Tenanted & { status: string | null; item_type: string | null; q: string | null }

// guard tenant-of-items: rows of other accounts and of the other mode do not exist for the caller
const filter = `account_id = $account_id and mode = $mode
  and ($status::text is null or status = $status)
  and ($item_type::text is null or item_type = $item_type)
  and ($q::text is null or search like $q)`

export const selectItems = statement<ItemRow, ItemFilter & { limit: number; offset: number }>(
  '',
  `select ${columns} from catalog_items where ${filter} order by id desc limit $limit + 1 offset $offset`,
)

export const countItems = statement<{ counted: number }, ItemFilter & { cap: number }>(
  '',
  `select count(*)::int as counted from (select 1 from catalog_items where ${filter} limit $cap + 1) as first_ones`,
)

/** The currency of a merchant that has set none: that of the first item that it sells. */
export const selectCatalogCurrency = statement<{ currency: string }, { account_id: Id<'acct'>; mode: Mode }>(
  'select_catalog_currency',
  `select priced.currency from catalog_items i
   cross join lateral (
     select variant ->> 'currency' as currency from jsonb_array_elements(i.variants) as variant
     where variant ->> 'currency' is not null limit 1
   ) as priced
   where i.account_id = $account_id and i.mode = $mode and i.status = 'published' order by i.id limit 1`,
)
