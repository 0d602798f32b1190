import type { Reads, Tenant } from '../../../contract/context.ts'
import type { ItemRow } from './item.ts'
import { selectCatalogCurrency, selectItemsAfter, selectItemsOfVariants } from './items.sql.ts'

/** What a merchant prices in that has named no currency of its own: that of the first thing it sells; null where it sells nothing. */
export async function catalogCurrency(reads: Pick<Reads, 'maybe'>, merchant: Tenant): Promise<string | null> {
  return (await reads.maybe(selectCatalogCurrency(tenanted(merchant))))?.currency ?? null
}

/** Items in the order in which they were made, those behind `after`; archived ones are gone. */
export function readItemsAfter(
  reads: Pick<Reads, 'rows'>,
  merchant: Tenant,
  { after, limit }: { after: string; limit: number },
): Promise<ItemRow[]> {
  return reads.rows(selectItemsAfter({ ...tenanted(merchant), after, limit }))
}

/** The tenant's items that have one of these variants. */
export function readItemsOfVariants(
  reads: Pick<Reads, 'rows'>,
  merchant: Tenant,
  variantIds: readonly string[],
): Promise<ItemRow[]> {
  return reads.rows(selectItemsOfVariants({ ...tenanted(merchant), variant_ids: variantIds }))
}

function tenanted({ accountId, mode }: Tenant) {
  return { account_id: accountId, mode }
}
