import type { Reads, Tenant } from '../../../contract/context.ts'
import type { Item } from './item.ts'
import { selectCatalogCurrency, selectItem, selectItemsAfter, selectItemsOfVariants } from './items.sql.ts'

/** The currency of a merchant that has set none: that of the first item that it sells; null where it sells nothing. */
export async function catalogCurrency(reads: Pick<Reads, 'maybe'>, merchant: Tenant): Promise<string | null> {
  return (await reads.maybe(selectCatalogCurrency(tenanted(merchant))))?.currency ?? null
}

/** The tenant's item of this id, whatever its status. */
export function readItem(reads: Pick<Reads, 'maybe'>, merchant: Tenant, id: string): Promise<Item | null> {
  return reads.maybe(selectItem({ ...tenanted(merchant), id }))
}

/** Items in the order in which they were made, those after `after`, without archived ones. */
export function readItemsAfter(
  reads: Pick<Reads, 'rows'>,
  merchant: Tenant,
  { after, limit }: { after: string; limit: number },
): Promise<Item[]> {
  return reads.rows(selectItemsAfter({ ...tenanted(merchant), after, limit }))
}

/** The tenant's items that have one of these variants. */
export function readItemsOfVariants(
  reads: Pick<Reads, 'rows'>,
  merchant: Tenant,
  variantIds: readonly string[],
): Promise<Item[]> {
  return reads.rows(selectItemsOfVariants({ ...tenanted(merchant), variant_ids: variantIds }))
}

function tenanted({ accountId, mode }: Tenant) {
  return { account_id: accountId, mode }
}
