import type { Reads, Tenant } from '../../../contract/context.ts'
import { comparableUrl, normalizeUrl } from '../../../schema/formats.ts'
import { hostsOf, merchantForUrl, type SellerRow, selectSellersByHosts } from '../merchant/public.ts'
import type { ItemRow } from './item.ts'
import { selectItemsByUrl } from './items.sql.ts'

/** Whose a URL is. Without an item the merchant sells nothing there. */
export type ResolvedUrl = { readonly merchant: SellerRow; readonly item: ItemRow | null }

/**
 * The native merchants, and their published items, that purchases of `buyer` at these URLs go to; null where no native merchant
 * sells. Takes valid https URLs; the answer has one entry for each, in order.
 */
export async function resolveItemUrls(
  reads: Pick<Reads, 'rows'>,
  buyer: Tenant,
  urls: readonly string[],
): Promise<(ResolvedUrl | null)[]> {
  const { mode } = buyer
  const hosts = hostsOf(urls)
  const [merchants, items] = await Promise.all([
    reads.rows(selectSellersByHosts({ account_id: buyer.accountId, mode, hosts })),
    reads.rows(selectItemsByUrl({ hosts, mode, urls: urls.map(comparableUrl) })),
  ])
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
 * Which of a merchant's items is at a URL. A shop may tell two items apart by what elsewhere is a tracking parameter; then only the very
 * URL will do, since any other could be that of either.
 */
function itemAt(url: string, items: readonly ItemRow[]): ItemRow | null {
  const key = normalizeUrl(url)
  const exact = items.find(({ url_key }) => url_key === key)
  if (exact) return exact
  const page = comparableUrl(url)
  const [item, ...others] = items.filter((one) => one.url !== null && comparableUrl(one.url) === page)
  return others.length === 0 ? (item ?? null) : null
}
