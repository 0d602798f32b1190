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
