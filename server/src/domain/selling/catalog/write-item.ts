import { invalid } from '../../../contract/problem.ts'
import { changesOf } from '../../../platform/aggregate/changes.ts'
import { normalizeUrl } from '../../../schema/formats.ts'
import { isHostWithin, type MerchantRecord } from '../merchant/public.ts'
import type { ItemEventType } from './events.ts'
import { type ItemRow, itemRules, renderItem } from './item.ts'
import { insertItem, lockItem, updateItemRow } from './items.sql.ts'

export const {
  add: addRow,
  change: changeItem,
  write: writeItem,
} = changesOf<ItemRow, ItemEventType>({
  param: 'item_id',
  insert: insertItem,
  lock: lockItem,
  update: updateItemRow,
  render: renderItem,
  // The merchant's, whoever acts.
  about: (row) => ({ tenant: { accountId: row.account_id, mode: row.mode } }),
})

/** The URL with the form in which it is matched. A merchant that has a domain sells there. */
export function placedUrl(
  url: string | null,
  merchant: MerchantRecord | null,
): Pick<ItemRow, 'url' | 'url_key'> {
  if (url === null) return { url: null, url_key: null }
  if (!isPlacedWithin(url, merchant)) throw invalid(['body', 'url'], itemRules.url)
  return { url, url_key: normalizeUrl(url) }
}

export function isPlacedWithin(url: string, merchant: MerchantRecord | null): boolean {
  return !merchant?.domain || isHostWithin(new URL(url).hostname, merchant.domain)
}
