import type { CallContext } from '../../../contract/context.ts'
import type { Id } from '../../../core/id.ts'
import { comparableUrl } from '../../../schema/formats.ts'
import { isHostWithin } from '../../selling/merchant/public.ts'
import {
  CatalogSources,
  globalCatalogId,
  isSourcedId,
  ownIdOf,
  type Source,
  type SourceAnswer,
} from '../sources/public.ts'
import { nobodyNamed, readNamed } from './name-merchants.ts'
import { isUrl, type Match } from './named-products.ts'
import type { CatalogProduct } from './product.ts'
import type { MerchantRef } from './search-request.ts'
import { sourceProductOf } from './source-product.ts'

/** What a source is asked for; `domain`: only products that are sold there. */
type Question = {
  readonly sourceId: string
  readonly names: readonly string[]
  readonly domain: string | null
}

/**
 * Whom a request for products of one merchant asks: the merchant where it sells with us, its own catalog, and the global one for products
 * that were found there, which are the merchant's where their address leads. Throws 404 where there is nobody, unless the caller knows of
 * somebody.
 */
export async function readAsked(
  ctx: Pick<CallContext, 'reads' | 'tenant' | 'port'>,
  ref: MerchantRef,
  names: readonly string[],
  { isSomebody = false }: { isSomebody?: boolean } = {},
): Promise<{ accounts: readonly Id<'acct'>[]; questions: readonly Question[] }> {
  const { accounts, sources } = await readNamed(ctx, [ref])
  const domain = ref.domain?.toLowerCase() ?? null
  const global = domain === null ? [] : names.filter((name) => ownIdOf(globalCatalogId, name) !== null)
  const isNobody = accounts.length === 0 && sources.length === 0 && global.length === 0
  if (isNobody && !isSomebody) throw nobodyNamed()
  const questions = [
    ...sources.map(({ id }) => ({
      sourceId: id,
      names: names.filter((name) => isNameAt(id, name)),
      domain: null,
    })),
    { sourceId: globalCatalogId, names: global, domain },
  ]
  return { accounts, questions: questions.filter((one) => one.names.length > 0) }
}

function isNameAt(sourceId: string, name: string): boolean {
  return !isSourcedId(name) || ownIdOf(sourceId, name) !== null
}

type Looked = {
  readonly products: readonly CatalogProduct[]
  /** The source that did not answer; null: it did. */
  readonly fault: Source | null
}

type Asking = Pick<CallContext, 'tenant' | 'port'>

export async function lookUpElsewhere({ tenant, port }: Asking, question: Question): Promise<Looked> {
  const { sourceId, names } = question
  return lookedAt(await port(CatalogSources).lookup(tenant.mode, sourceId, names), question)
}

/** The product of this name, with all its variants. A source may answer another one: that is not it. */
export async function readElsewhere(
  { tenant, port }: Asking,
  question: Question,
  name: string,
): Promise<Looked> {
  const answer = await port(CatalogSources).product(tenant.mode, question.sourceId, name)
  const { products, fault } = lookedAt(answer, question)
  const meant = products.filter((product) =>
    product.variants.some((variant) => matchElsewhere(product, variant, name) !== null),
  )
  return { products: meant, fault }
}

function lookedAt(answer: SourceAnswer, { domain }: Question): Looked {
  const { source, status, errorCode, products } = answer
  const shown = products.flatMap((one) => sourceProductOf(answer, one) ?? [])
  const hasAnswered = status === 'ok' || status === 'partial' || errorCode === 'refused'
  return { products: shown.filter((one) => isSoldAt(one, domain)), fault: hasAnswered ? null : source }
}

function isSoldAt({ url }: CatalogProduct, domain: string | null): boolean {
  return domain === null || (url !== null && isHostWithin(new URL(url).hostname, domain))
}

/** By what the product itself says: what a source claims about the question is not asked. */
export function matchElsewhere(
  product: CatalogProduct,
  variant: CatalogProduct['variants'][number],
  name: string,
): Match | null {
  const ownNames = [variant.id, product.id].map((id) => ownIdOf(product.merchant.id ?? globalCatalogId, id))
  if (name === variant.id || name === product.id || ownNames.includes(name)) return 'exact'
  if (name === variant.sku) return 'sku'
  if (variant.barcodes.some(({ value }) => value === name)) return 'barcode'
  if (name === product.handle) return 'handle'
  if (product.url !== null && isUrl(name) && comparableUrl(name) === comparableUrl(product.url)) return 'url'
  return null
}

export function sourceFailed({ merchant }: Source) {
  const who = merchant === null ? 'The global catalog' : `The catalog of ${merchant.domain}`
  return {
    type: 'warning' as const,
    code: 'source_failed',
    content: `${who} did not answer, so products there are missing. Ask again later.`,
  }
}
