import type { Reads, Tenant } from '../../contract/context.ts'
import { normalizeUrl } from '../../contract/formats.ts'
import { hostsOf, type MerchantRow, merchantForUrl, selectMerchantsByHosts } from '../merchant/public.ts'
import type { ItemRow } from './item.ts'
import { selectItemsByUrl } from './items.sql.ts'

/** Whose a URL is. Without an item the merchant sells nothing there. */
export type ResolvedUrl = { readonly merchant: MerchantRow; readonly item: ItemRow | null }

/**
 * The native merchants, and their published items, that purchases of `buyer` at these URLs go to; null where no native merchant
 * sells. Takes valid https URLs; the answer has one entry for each, in order.
 */
export async function resolveItemUrls(
  reads: Pick<Reads, 'rows'>,
  buyer: Tenant,
  urls: readonly string[],
): Promise<(ResolvedUrl | null)[]> {
  const merchants = await reads.rows(
    selectMerchantsByHosts({ account_id: buyer.accountId, mode: buyer.mode, hosts: hostsOf(urls) }),
  )
  const owned = urls.map((url) => ({ key: normalizeUrl(url), merchant: merchantForUrl(merchants, url) }))
  const merchantIds = [...new Set(owned.flatMap(({ merchant }) => (merchant ? [merchant.account_id] : [])))]
  if (merchantIds.length === 0) return urls.map(() => null)
  const items = await reads.rows(
    selectItemsByUrl({
      merchant_account_ids: merchantIds,
      mode: buyer.mode,
      url_keys: owned.map(({ key }) => key),
    }),
  )
  return owned.map(({ key, merchant }) => {
    if (!merchant) return null
    const item = items.find(
      ({ account_id, url_key }) => account_id === merchant.account_id && url_key === key,
    )
    return { merchant, item: item ?? null }
  })
}
