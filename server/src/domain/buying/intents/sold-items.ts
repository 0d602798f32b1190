import type { ActingContext } from '../../../contract/context.ts'
import type { MerchantIdentity } from '../../policies/public.ts'
import {
  hasMerchantChanged,
  hostsOf,
  identityOf,
  type MerchantRecord,
  merchantForUrl,
  readSeller,
  readSellersAt,
  type Seller,
} from '../../selling/merchant/public.ts'
import type { IntentItem } from './intent.ts'

/** The fields of an item that say who sells it. */
export type SoldBy = Pick<IntentItem, 'domain' | 'mcc' | 'country' | 'merchant' | 'merchant_account_id'>

/** An item, and the merchant of ours that sells it at this moment, if one does. */
export type SoldItem<Item> = {
  /** With its merchant, also where the previous version did not store it. */
  readonly item: Item & { merchant: MerchantIdentity | null }
  readonly now: Seller | null
  readonly hasChanged: boolean
}

/** Reads, at once, who sells these items of one purchase: the merchant that quoted them, otherwise the owner of their URLs. */
export async function readSellers<Item extends SoldBy & { url: string }>(
  ctx: Pick<ActingContext, 'tenant' | 'tx'>,
  items: readonly Item[],
): Promise<SoldItem<Item>[]> {
  const quotedBy = items[0]?.merchant_account_id
  if (quotedBy !== undefined) {
    const now = await readSeller(ctx.tx, { accountId: quotedBy, mode: ctx.tenant.mode })
    return items.map((item) => soldItem(item, now))
  }
  const hosts = hostsOf(items.map(({ url }) => url))
  const merchants = await readSellersAt(ctx.tx, ctx.tenant, hosts)
  return items.map((item) => soldItem(item, merchantForUrl(merchants, item.url)))
}

/** Whether another merchant sells an item than when the purchase was made. */
export function isSoldByAnother(item: SoldBy, now: MerchantRecord | null): boolean {
  return hasMerchantChanged(merchantThen(item, now), now && identityOf(now))
}

/** Whether the previous version made the purchase, which did not store who sells. */
export function isUnfrozen(items: readonly SoldBy[]): boolean {
  return items.some(({ merchant }) => merchant === undefined)
}

function soldItem<Item extends SoldBy>(item: Item, now: Seller | null): SoldItem<Item> {
  const merchant = merchantThen(item, now)
  return {
    item: { ...item, merchant },
    now,
    hasChanged: hasMerchantChanged(merchant, now && identityOf(now)),
  }
}

/**
 * Who sold the item when the purchase was made. The previous version stored domain, category and country as it had them from the
 * merchant, and the account of a merchant that quoted; the rest is read at the first look.
 */
function merchantThen(item: SoldBy, now: MerchantRecord | null): MerchantIdentity | null {
  if (item.merchant !== undefined) return item.merchant
  if (now === null) return null
  const { domain, mcc, country, merchant_account_id } = item
  return { ...identityOf(now), account_id: merchant_account_id ?? now.account_id, domain, mcc, country }
}
