import type { CallContext } from '../../../contract/context.ts'
import { normalizeCurrency } from '../../../schema/formats.ts'
import type { Source } from '../sources/public.ts'
import type { ListingFilter } from './listings.sql.ts'
import { type Named, readNamed, readOne } from './name-merchants.ts'
import type { CatalogSearch } from './search-request.ts'

/** Where a search looks. */
export type Scope = {
  readonly filter: ListingFilter
  /** False where merchants are named, and none of them is ours. */
  readonly isPublishedAsked: boolean
  /** The sources of the merchants that are named; null: none is named, and those that fit best are asked. */
  readonly named: readonly Source[] | null
}

export async function readScope(
  ctx: Pick<CallContext, 'reads' | 'tenant' | 'viewer' | 'port'>,
  { merchant, filters, context }: CatalogSearch,
): Promise<Scope> {
  const [one, some] = await Promise.all([
    merchant && readOne(ctx, merchant),
    filters?.merchants && readNamed(ctx, filters.merchants),
  ])
  const named = one && some ? ofBoth(one, some) : (one ?? some)
  const { currency } = context ?? {}
  return {
    filter: {
      mode: ctx.tenant.mode,
      viewer: ctx.viewer,
      merchants: named?.accounts ?? null,
      item_types: filters?.item_types ?? null,
      categories: filters?.categories ?? null,
      currency: currency === undefined ? null : normalizeCurrency(currency),
      price_min: filters?.price?.min ?? null,
      price_max: filters?.price?.max ?? null,
      available: filters?.available ?? null,
    },
    isPublishedAsked: named === undefined || named.accounts.length > 0 || named.sources.length === 0,
    named: named?.sources ?? null,
  }
}

function ofBoth(one: Named, some: Named): Named {
  return {
    accounts: some.accounts.filter((account) => one.accounts.includes(account)),
    sources: some.sources.filter(({ id }) => one.sources.some((other) => other.id === id)),
  }
}
