import type { ActingContext } from '../../../../contract/context.ts'
import {
  hasMerchantChanged,
  hostsOf,
  identityOf,
  type MerchantRecord,
  merchantForUrl,
  readSeller,
  readSellersAt,
  type Seller,
} from '../../../selling/merchant/public.ts'
import type { IntentItem } from '../intent.ts'

/** The fields of an item that say who sells it. */
export type SoldBy = Pick<IntentItem, 'merchant' | 'merchant_account_id'>

/** An item, and the merchant of ours that sells it at this moment, if one does. */
export type SoldItem<Item> = {
  readonly item: Item
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
  return hasMerchantChanged(item.merchant, now && identityOf(now))
}

function soldItem<Item extends SoldBy>(item: Item, now: Seller | null): SoldItem<Item> {
  return { item, now, hasChanged: isSoldByAnother(item, now) }
}
