import type { Mode, Reads } from '../../../contract/context.ts'
import { comparableUrl, normalizeUrl } from '../../../schema/formats.ts'
import { hostsOf, type MerchantRecord, merchantForUrl, type Seller } from '../merchant/public.ts'
import type { Item, ItemRow } from './item.ts'
import { selectItemsByUrl } from './items.sql.ts'

/** The owner of a URL. Without an item the merchant sells nothing there. */
export type ResolvedUrl<Merchant extends MerchantRecord = Seller> = {
  readonly merchant: Merchant
  readonly item: Item | null
}

/**
 * The native merchants, and their published items, at these URLs; null where no native merchant sells. It takes valid https URLs, and
 * returns one entry for each, in order. `merchants`: those of the hosts (`readSellersAt`).
 */
export function resolveUrls<Merchant extends MerchantRecord>(
  urls: readonly string[],
  merchants: readonly Merchant[],
  items: readonly ItemRow[],
): (ResolvedUrl<Merchant> | null)[] {
  return urls.map((url) => {
    const merchant = merchantForUrl(merchants, url)
    if (!merchant) return null
    return {
      merchant,
      item: itemAt(
        url,
        items.filter(({ account_id }) => account_id === merchant.account_id),
      ),
    }
  })
}

/** Reads the items from which `resolveUrls` finds those of these URLs. */
export async function readItemsAt(
  reads: Pick<Reads, 'rows'>,
  mode: Mode,
  urls: readonly string[],
): Promise<ItemRow[]> {
  return await reads.rows(selectItemsByUrl({ mode, ...urlKeysOf(urls) }))
}

/** URLs in the form in which their items are searched for. */
export function urlKeysOf(urls: readonly string[]): { hosts: string[]; urls: string[] } {
  return { hosts: hostsOf(urls), urls: urls.map(comparableUrl) }
}

/**
 * Which of a merchant's items is at a URL. A shop may tell two items apart by a parameter that is only for tracking elsewhere; then only
 * exactly the same URL counts, since any other could belong to either.
 */
function itemAt(url: string, items: readonly ItemRow[]): ItemRow | null {
  const key = normalizeUrl(url)
  const exact = items.find(({ url_key }) => url_key === key)
  if (exact) return exact
  const page = comparableUrl(url)
  const [item, ...others] = items.filter((one) => one.url !== null && comparableUrl(one.url) === page)
  // guard one-item-at-a-url: of two items that a link could lead to, none is bought for the other
  return others.length === 0 ? (item ?? null) : null
}
