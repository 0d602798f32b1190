import type { ActingContext } from '../../../contract/context.ts'
import type { MerchantIdentity } from '../../policies/public.ts'
import {
  hasMerchantChanged,
  hostsOf,
  identityOf,
  type MerchantRow,
  merchantForUrl,
  type SellerRow,
  selectSeller,
  selectSellersByHosts,
} from '../../selling/merchant/public.ts'
import type { IntentItem } from './intent.ts'

/** What an item says of who sells it. */
export type SoldBy = Pick<IntentItem, 'domain' | 'mcc' | 'country' | 'merchant' | 'merchant_account_id'>

/** An item and the merchant of ours that sells it at the moment, if one does. */
export type SoldItem<Item> = {
  /** With its merchant, also where the version before this one did not write it down. */
  readonly item: Item & { merchant: MerchantIdentity | null }
  readonly now: SellerRow | null
  readonly hasChanged: boolean
}

/** Looks, in one read, who sells these items of one purchase: whoever quoted them, else whose their URLs are. */
export async function readSellers<Item extends SoldBy & { url: string }>(
  ctx: Pick<ActingContext, 'tenant' | 'tx'>,
  items: readonly Item[],
): Promise<SoldItem<Item>[]> {
  const { accountId: account_id, mode } = ctx.tenant
  const quotedBy = items[0]?.merchant_account_id
  if (quotedBy !== undefined) {
    const now = await ctx.tx.maybe(selectSeller({ account_id: quotedBy, mode }))
    return items.map((item) => soldItem(item, now))
  }
  const hosts = hostsOf(items.map(({ url }) => url))
  const merchants = await ctx.tx.rows(selectSellersByHosts({ account_id, mode, hosts }))
  return items.map((item) => soldItem(item, merchantForUrl(merchants, item.url)))
}

/** Whether the merchant that sells an item is another than the purchase was made with. */
export function isSoldByAnother(item: SoldBy, now: MerchantRow | null): boolean {
  return hasMerchantChanged(merchantThen(item, now), now && identityOf(now))
}

/** Whether the version before this one made the purchase, which did not write down who sells. */
export function isUnfrozen(items: readonly SoldBy[]): boolean {
  return items.some(({ merchant }) => merchant === undefined)
}

function soldItem<Item extends SoldBy>(item: Item, now: SellerRow | null): SoldItem<Item> {
  const merchant = merchantThen(item, now)
  return {
    item: { ...item, merchant },
    now,
    hasChanged: hasMerchantChanged(merchant, now && identityOf(now)),
  }
}

/**
 * Who sold the item when the purchase was made. The version before this one wrote domain, category and country as it had them from the
 * merchant, and the account of one that quoted; what it did not write is as it is when somebody first looks.
 */
function merchantThen(item: SoldBy, now: MerchantRow | null): MerchantIdentity | null {
  if (item.merchant !== undefined) return item.merchant
  if (now === null) return null
  const { domain, mcc, country, merchant_account_id } = item
  return { ...identityOf(now), account_id: merchant_account_id ?? now.account_id, domain, mcc, country }
}
