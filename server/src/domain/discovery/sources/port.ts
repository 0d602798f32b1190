import type { Mode } from '../../../contract/context.ts'
import { definePort } from '../../../contract/port.ts'
import type { CatalogEndpoint } from '../../../protocols/ucp/ask-catalog.ts'
import type { ReadProduct } from '../../../protocols/ucp/read-catalog-product.ts'

/** A merchant whose UCP catalog may be asked. */
export type UcpCatalog = CatalogEndpoint & {
  /** The id of its entry in the registry. */
  readonly id: string
  readonly merchant: {
    readonly name: string | null
    readonly slug: string | null
    readonly domain: string
    readonly country: string | null
    readonly verified: boolean
  }
  /** What it sells, in words of the registry. */
  readonly categories: readonly string[]
  /** Whether its profile has a checkout. */
  readonly hasCheckout: boolean
}

/** A catalog that can be asked; `merchant` is null for the global one, which speaks for many. */
export type Source = {
  readonly id: string
  readonly kind: 'public_ucp' | 'global_catalog'
  readonly merchant: UcpCatalog['merchant'] | null
  readonly sellsOverUcp: boolean
}

/** A product of a source. Its ids and those of its variants name the source as well. */
export type SourceProduct = ReadProduct

export type SourceStatus = 'ok' | 'partial' | 'timeout' | 'error' | 'skipped'

/** How one source answered. */
export type SourceAnswer = {
  readonly source: Source
  readonly status: SourceStatus
  /** Why the status is not `ok`. */
  readonly errorCode: string | null
  readonly latencyMs: number
  readonly products: readonly SourceProduct[]
  /** The source's own cursor of the page behind; null: there is none, or none that can be used. */
  readonly next: string | null
  /** Whether a purchase intent buys the products at their addresses. */
  readonly isBoughtElsewhere: boolean
}

/** What a search asks each source. */
export type SourceSearch = {
  readonly query?: string | undefined
  readonly context?: SearchContext | undefined
  readonly filters?: SearchFilters | undefined
}

type SearchContext = {
  readonly country?: string | undefined
  readonly region?: string | undefined
  readonly currency?: string | undefined
  readonly language?: string | undefined
}

type SearchFilters = {
  readonly categories?: readonly string[] | undefined
  readonly price?: { readonly min?: number | undefined; readonly max?: number | undefined } | undefined
  readonly available?: boolean | undefined
}

export type MerchantName = {
  readonly id?: string | undefined
  readonly slug?: string | undefined
  readonly domain?: string | undefined
}

/** Catalogs of others. No failure of one of them is an exception: it is the status of its answer. */
export interface CatalogSources {
  /** The merchants of these names that have a catalog. */
  named(mode: Mode, names: readonly MerchantName[]): Promise<readonly Source[]>
  /** The sources that fit a search best, the best first; `isAll`: no other could be asked. */
  chosen(mode: Mode, search: SourceSearch): Promise<{ sources: readonly Source[]; isAll: boolean }>
  /** Asks these sources at the same time, each from its own cursor. */
  search(
    mode: Mode,
    from: readonly { readonly id: string; readonly cursor: string | null }[],
    search: SourceSearch,
  ): Promise<readonly SourceAnswer[]>
  /** Asks one source for products by their names: ids of its products as we hand them out, or names of its own. */
  lookup(mode: Mode, id: string, names: readonly string[]): Promise<SourceAnswer>
  /** Asks one source for one product with all its variants. */
  product(mode: Mode, id: string, name: string): Promise<SourceAnswer>
}

export const CatalogSources = definePort<CatalogSources>('catalog sources')
