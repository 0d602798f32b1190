import type { CallContext } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import { comparableUrl, matchesFormat } from '../../../schema/formats.ts'
import { type SoldItem, selectSoldItems } from './listings.sql.ts'

export const matches = ['exact', 'sku', 'barcode', 'handle', 'url'] as const

/** How a name means a variant: by its id or its product's, or by another of their names. */
export type Match = (typeof matches)[number]

/** The items of the merchant that these names mean, by their ids. */
export function readNamedItems(
  { reads, tenant, viewer }: Pick<CallContext, 'reads' | 'tenant' | 'viewer'>,
  merchant: Id<'acct'>,
  names: readonly string[],
): Promise<SoldItem[]> {
  return reads.rows(
    selectSoldItems({
      account_id: merchant,
      mode: tenant.mode,
      viewer,
      names,
      urls: names.filter(isUrl).map(comparableUrl),
    }),
  )
}

/** How this name means the variant of the item; null: it means something else. */
export function matchOf(item: SoldItem, variant: SoldItem['variants'][number], name: string): Match | null {
  if (name === variant.id || name === item.id) return 'exact'
  if (name === variant.sku) return 'sku'
  if (name === variant.barcode) return 'barcode'
  if (name === item.handle) return 'handle'
  if (item.url !== null && isUrl(name) && comparableUrl(name) === comparableUrl(item.url)) return 'url'
  return null
}

export function isUrl(name: string): boolean {
  return matchesFormat('https-url', name)
}
