import type { ActingContext } from '../../../contract/context.ts'
import { invalid, Problem } from '../../../contract/problem.ts'
import { normalizeUrl } from '../../../schema/formats.ts'
import { isHostWithin, type MerchantRow } from '../merchant/public.ts'
import type { ItemEventType } from './events.ts'
import { type ItemRow, itemRules, type MerchantCatalogItem, renderItem } from './item.ts'
import { type ItemWrite, lockItem, updateItemRow } from './items.sql.ts'

/** A row as its statements take it. */
export function writeOf(row: ItemRow): ItemWrite {
  return {
    ...row,
    media: JSON.stringify(row.media),
    options: JSON.stringify(row.options),
    variants: JSON.stringify(row.variants),
    metadata: JSON.stringify(row.metadata),
    required_inputs: JSON.stringify(row.required_inputs),
  }
}

/**
 * Changes one item of `ctx.tenant`: locks it, lets `change` decide (it may throw a refusal), writes the row and the event. A
 * change of nothing writes nothing.
 */
export async function changeItem(
  ctx: ActingContext,
  itemId: string,
  type: ItemEventType,
  change: (row: ItemRow) => Partial<ItemRow> | Promise<Partial<ItemRow>>,
): Promise<MerchantCatalogItem> {
  const { accountId, mode } = ctx.tenant
  const row = await ctx.tx.maybe(lockItem({ account_id: accountId, mode, id: itemId }))
  if (!row) throw new Problem('not_found', { param: 'item_id' })
  const changes = await change(row)
  if (Object.keys(changes).length === 0) return renderItem(row)
  return writeItem(ctx, row, changes, type)
}

/** Writes the changes of a locked item and their event, which belongs to the merchant, whoever acts. */
export function writeItem(
  ctx: ActingContext,
  row: ItemRow,
  changes: Partial<ItemRow>,
  type: ItemEventType,
): MerchantCatalogItem {
  const changed = { ...row, ...changes, seq: row.seq + 1, updated_at: ctx.now }
  const item = renderItem(changed)
  ctx.tx.write(updateItemRow(writeOf(changed)))
  ctx.tx.emit({
    type,
    aggregateId: row.id,
    sequence: changed.seq,
    object: item,
    tenant: { accountId: row.account_id, mode: row.mode },
  })
  return item
}

/** The URL with the form it is matched by. A merchant that has a domain sells there. */
export function placedUrl(
  url: string | null,
  merchant: MerchantRow | null,
): Pick<ItemRow, 'url' | 'url_key'> {
  if (url === null) return { url: null, url_key: null }
  if (!isPlacedWithin(url, merchant)) throw invalid(['body', 'url'], itemRules.url)
  return { url, url_key: normalizeUrl(url) }
}

export function isPlacedWithin(url: string, merchant: MerchantRow | null): boolean {
  return !merchant?.domain || isHostWithin(new URL(url).hostname, merchant.domain)
}
