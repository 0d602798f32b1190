import type { Reads, Tenant } from '../../contract/context.ts'
import { normalizeUrl } from '../../contract/formats.ts'
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
  const keys = urls.map(normalizeUrl)
  const [merchants, items] = await Promise.all([
    reads.rows(selectSellersByHosts({ account_id: buyer.accountId, mode, hosts })),
    reads.rows(selectItemsByUrl({ hosts, mode, url_keys: keys })),
  ])
  return urls.map((url, index) => {
    const merchant = merchantForUrl(merchants, url)
    if (!merchant) return null
    const key = keys[index]
    const item = items.find(
      ({ account_id, url_key }) => account_id === merchant.account_id && url_key === key,
    )
    return { merchant, item: item ?? null }
  })
}
