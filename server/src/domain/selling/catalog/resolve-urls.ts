import type { Mode, Reads, Tenant } from '../../../contract/context.ts'
import { comparableUrl, normalizeUrl } from '../../../schema/formats.ts'
import {
  hostsOf,
  type MerchantRecord,
  merchantForUrl,
  readSellersAt,
  type Seller,
} from '../merchant/public.ts'
import type { Item, ItemRow } from './item.ts'
import { selectItemsByUrl } from './items.sql.ts'

/** The owner of a URL. Without an item the merchant sells nothing there. */
export type ResolvedUrl<Merchant extends MerchantRecord = Seller> = {
  readonly merchant: Merchant
  readonly item: Item | null
}

/**
 * The native merchants, and their published items, for purchases of `buyer` at these URLs; null where no native merchant sells. It takes
 * valid https URLs and returns one entry for each, in order.
 */
export async function resolveItemUrls(
  reads: Pick<Reads, 'rows'>,
  buyer: Tenant,
  urls: readonly string[],
): Promise<(ResolvedUrl | null)[]> {
  const { mode } = buyer
  const hosts = hostsOf(urls)
  const [merchants, items] = await Promise.all([
    readSellersAt(reads, buyer, hosts),
    readItemsAt(reads, mode, urls),
  ])
  return resolveUrls(urls, merchants, items)
}

/** Reads the items from which `resolveUrls` finds those of these URLs. */
export async function readItemsAt(
  reads: Pick<Reads, 'rows'>,
  mode: Mode,
  urls: readonly string[],
): Promise<ItemRow[]> {
  return await reads.rows(selectItemsByUrl({ hosts: hostsOf(urls), mode, urls: urls.map(comparableUrl) }))
}

/** The same as `resolveItemUrls`, for callers that have already read the merchants of the hosts and the items. */
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
  return others.length === 0 ? (item ?? null) : null
}
