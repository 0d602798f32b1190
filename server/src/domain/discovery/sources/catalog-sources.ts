import type { Mode } from '../../../contract/context.ts'
import type { CatalogQuestion } from '../../../protocols/ucp/ask-catalog.ts'
import { readCatalogPage } from '../../../protocols/ucp/read-catalog-answer.ts'
import { type ReadProduct, readCatalogProduct } from '../../../protocols/ucp/read-catalog-product.ts'
import { type AskMeans, askSource, type Reached } from './ask-source.ts'
import { chooseSources } from './choose-sources.ts'
import type {
  CatalogSources,
  MerchantName,
  Source,
  SourceAnswer,
  SourceProduct,
  SourceSearch,
  SourceStatus,
  UcpCatalog,
} from './port.ts'
import { SourceCircuit } from './source-circuit.ts'
import { isSourcedId, ownIdOf, sourcedId } from './source-id.ts'

export type GlobalCatalog = Pick<Reached, 'endpoint' | 'transport' | 'version' | 'token'>

export type CatalogSourcesOptions = AskMeans & {
  /** The merchants whose catalogs may be asked, in an order that stays: the registry's. */
  readonly readCatalogs: (mode: Mode) => Promise<readonly UcpCatalog[]>
  readonly globalCatalogs: Readonly<Record<Mode, GlobalCatalog | null>>
  /** How many catalogs of merchants one search asks. */
  readonly sourcesMax: number
  /** Whether purchase intents of the mode buy at addresses of merchants elsewhere. */
  readonly isBoughtElsewhere: (mode: Mode) => boolean
  readonly monotonicMs?: () => number
}

/** For how long the list of merchants is used before it is read again. */
const catalogsFreshMs = 10_000
/** How many products a page of a source has. It is always the same, since places in pages are remembered. */
const sourcePageSize = 20
const variantsMax = { search: 20, product: 100 } as const
export const globalCatalogId = 'global_catalog'

export function createCatalogSources(options: CatalogSourcesOptions): CatalogSources {
  return new AskedSources(options)
}

/** A process that asks nobody. */
export const noSources: CatalogSources = {
  named: async () => [],
  chosen: async () => ({ sources: [], isAll: true }),
  search: async (_mode, from) => from.map(({ id }) => skipped(goneSource(id), 'source_gone')),
  lookup: async (_mode, id) => skipped(goneSource(id), 'source_gone'),
  product: async (_mode, id) => skipped(goneSource(id), 'source_gone'),
}

type Known = { readonly source: Source; readonly reached: Reached }

/** What a question found, before it is judged. */
type Found = { products: readonly ReadProduct[]; isCut: boolean; next: string | null; isLost: boolean }

class AskedSources implements CatalogSources {
  readonly #options: CatalogSourcesOptions
  readonly #nowMs: () => number
  readonly #circuit: SourceCircuit
  readonly #lists = new Map<Mode, { readonly until: number; readonly list: Promise<readonly UcpCatalog[]> }>()

  constructor(options: CatalogSourcesOptions) {
    this.#options = options
    this.#nowMs = options.monotonicMs ?? (() => performance.now())
    this.#circuit = new SourceCircuit(this.#nowMs)
  }

  async named(mode: Mode, names: readonly MerchantName[]): Promise<readonly Source[]> {
    const catalogs = await this.#catalogs(mode)
    return catalogs.filter((catalog) => names.some((name) => isNamed(catalog, name))).map(sourceOf)
  }

  async chosen(mode: Mode, search: SourceSearch): Promise<{ sources: readonly Source[]; isAll: boolean }> {
    const catalogs = await this.#catalogs(mode)
    const asked = chooseSources(catalogs, search, this.#options.sourcesMax)
    const global = this.#options.globalCatalogs[mode] ? [globalSource] : []
    return { sources: [...asked.map(sourceOf), ...global], isAll: asked.length === catalogs.length }
  }

  async search(
    mode: Mode,
    from: readonly { readonly id: string; readonly cursor: string | null }[],
    search: SourceSearch,
  ): Promise<readonly SourceAnswer[]> {
    const known = await this.#known(mode)
    return Promise.all(
      from.map(({ id, cursor }) => {
        const body = searchBody(search, cursor)
        return this.#ask(known(id), { id, mode, question: { kind: 'search', body } }, (payload) =>
          readCatalogPage(payload, { variantsMax: variantsMax.search }),
        )
      }),
    )
  }

  async lookup(mode: Mode, id: string, names: readonly string[]): Promise<SourceAnswer> {
    const known = await this.#known(mode)
    const ids = names.flatMap((name) => ownNameOf(id, name) ?? [])
    return this.#ask(known(id), { id, mode, question: { kind: 'lookup', body: { ids } } }, (payload) =>
      readCatalogPage({ products: payload.products }, { variantsMax: variantsMax.product }),
    )
  }

  async product(mode: Mode, id: string, name: string): Promise<SourceAnswer> {
    const known = await this.#known(mode)
    const own = ownNameOf(id, name) ?? name
    return this.#ask(known(id), { id, mode, question: { kind: 'product', body: { id: own } } }, (payload) => {
      const read = readCatalogProduct(payload.product, { variantsMax: variantsMax.product })
      return read && { products: [read.product], isCut: read.isCut, next: null, isLost: false }
    })
  }

  async #ask(
    known: Known | null,
    { id, mode, question }: { id: string; mode: Mode; question: CatalogQuestion },
    read: (payload: Readonly<Record<string, unknown>>) => Found | null,
  ): Promise<SourceAnswer> {
    if (!known) return skipped(goneSource(id), 'source_gone')
    const key = `${mode} ${id}`
    if (!this.#circuit.enter(key)) return skipped(known.source, 'circuit_open')
    const beganMs = this.#nowMs()
    const said = await askSource(known.reached, mode, question, this.#options)
    const page = 'payload' in said ? read(said.payload) : null
    const found = page && withMerchants(known.source, page)
    const fault = 'fault' in said ? said.fault : found ? null : 'bad_answer'
    // To refuse a question is an answer.
    this.#circuit.leave(key, fault === null || fault === 'refused')
    const { status, errorCode } = judged(fault, found)
    return {
      source: known.source,
      status,
      errorCode,
      latencyMs: Math.round(this.#nowMs() - beganMs),
      products: (found?.products ?? []).map((product) => productOf(known.source, product)),
      next: found?.next ?? null,
      isBoughtElsewhere: this.#options.isBoughtElsewhere(mode),
    }
  }

  #catalogs(mode: Mode): Promise<readonly UcpCatalog[]> {
    const kept = this.#lists.get(mode)
    if (kept && this.#nowMs() < kept.until) return kept.list
    const list = this.#options.readCatalogs(mode)
    this.#lists.set(mode, { until: this.#nowMs() + catalogsFreshMs, list })
    // The next search reads it again.
    list.catch(() => this.#lists.delete(mode))
    return list
  }

  async #known(mode: Mode): Promise<(id: string) => Known | null> {
    const catalogs = new Map((await this.#catalogs(mode)).map((catalog) => [catalog.id, catalog]))
    const global = this.#options.globalCatalogs[mode]
    return (id) => {
      if (id === globalCatalogId && global)
        return { source: globalSource, reached: { ...global, isPeer: true } }
      const catalog = catalogs.get(id)
      return catalog
        ? { source: sourceOf(catalog), reached: { ...catalog, token: null, isPeer: false } }
        : null
    }
  }
}

const globalSource: Source = {
  id: globalCatalogId,
  kind: 'global_catalog',
  merchant: null,
  sellsOverUcp: false,
}

function sourceOf({ id, merchant, hasCheckout }: UcpCatalog): Source {
  return { id, kind: 'public_ucp', merchant, sellsOverUcp: hasCheckout }
}

/** A source that a cursor names and that is no longer known. */
function goneSource(id: string): Source {
  const kind = id === globalCatalogId ? 'global_catalog' : 'public_ucp'
  return { id, kind, merchant: null, sellsOverUcp: false }
}

function skipped(source: Source, errorCode: string): SourceAnswer {
  return {
    source,
    status: 'skipped',
    errorCode,
    latencyMs: 0,
    products: [],
    next: null,
    isBoughtElsewhere: false,
  }
}

function judged(
  fault: string | null,
  found: Found | null,
): { status: SourceStatus; errorCode: string | null } {
  if (fault !== null) return { status: fault === 'timeout' ? 'timeout' : 'error', errorCode: fault }
  if (found?.isCut) return { status: 'partial', errorCode: 'products_left_out' }
  if (found?.isLost) return { status: 'partial', errorCode: 'cursor_unusable' }
  return { status: 'ok', errorCode: null }
}

/** A global catalog says by an address who sells a product. What has none is nobody's. */
function withMerchants({ merchant }: Source, found: Found): Found {
  if (merchant !== null || found.products.every(({ url }) => url !== null)) return found
  return { ...found, products: found.products.filter(({ url }) => url !== null), isCut: true }
}

function isNamed({ id, merchant }: UcpCatalog, name: MerchantName): boolean {
  if (name.id !== undefined) return name.id === id
  if (name.slug !== undefined) return name.slug === merchant.slug
  return name.domain?.toLowerCase() === merchant.domain
}

/** What the source itself calls it; null: it is the id of another source. */
function ownNameOf(sourceId: string, name: string): string | null {
  return isSourcedId(name) ? ownIdOf(sourceId, name) : name
}

function productOf({ id }: Source, product: ReadProduct): SourceProduct {
  return {
    ...product,
    id: sourcedId(id, product.id),
    variants: product.variants.map((variant) => ({ ...variant, id: sourcedId(id, variant.id) })),
  }
}

/** A question needs words or filters; where there are none, everything is asked for. The postal code of a buyer stays here. */
function searchBody({ query, context, filters }: SourceSearch, cursor: string | null): object {
  const told = {
    address_country: context?.country,
    address_region: context?.region,
    language: context?.language,
    currency: context?.currency,
  }
  return {
    ...(query === undefined ? {} : { query }),
    ...(Object.values(told).some((value) => value !== undefined) ? { context: told } : {}),
    ...(query !== undefined && filters === undefined
      ? {}
      : {
          filters: {
            categories: filters?.categories,
            price: filters?.price,
            available: filters?.available,
          },
        }),
    pagination: { limit: sourcePageSize, ...(cursor === null ? {} : { cursor }) },
  }
}
