import Type from 'typebox'
import type { CallContext } from '../../../contract/context.ts'
import { exampleId } from '../../../contract/examples.ts'
import { busy } from '../../../contract/limit-refusals.ts'
import { defineOperation, type Reply, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, Named } from '../../../contract/schemas.ts'
import { CatalogSources, sourcesBudgetMs } from '../sources/public.ts'
import { takeDiscoveryRate } from './discovery-rates.ts'
import { readAsked, readElsewhere } from './look-elsewhere.ts'
import { ProductName } from './lookup-catalog.ts'
import { requireOneName } from './name-merchants.ts'
import { isUrl, readNamedItems } from './named-products.ts'
import { CatalogProduct, productOf } from './product.ts'
import type { PageLook, ProductPages, ShopOfPage } from './product-pages.ts'
import { MerchantRef } from './search-request.ts'
import { sourceProductOf } from './source-product.ts'

/** The answer while somebody looks. */
const PendingProduct = Named(
  'CatalogProductPending',
  Closed(
    {
      object: Type.Literal('catalog_product_pending', { description: 'The type of this object.' }),
      url: Type.String({ description: 'The page that is being looked at.' }),
      retry_after_seconds: Type.Integer({
        minimum: 1,
        description: 'After how many seconds the same request may have its answer.',
      }),
    },
    { description: 'A page of a shop is being looked at. Ask the same again for what was seen.' },
  ),
)

export function getCatalogProduct(pages: ProductPages) {
  return defineOperation({
    id: 'v1_get_catalog_product',
    method: 'POST',
    path: '/v1/catalog/product',
    auth: 'optional',
    scope: 'catalog:read',
    readOnly: true,
    reads: 'short',
    forBound: 'served',
    tag: 'Catalog',
    summary: 'Read a product of a merchant',
    description:
      'Shows a product with all its variants. Prices are in minor units (1999 is $19.99). With a key, a URL at a shop of the ' +
      'registry is looked at, for up to 25 seconds. If the answer is a `catalog_product_pending`, ask the same again a little later. Next, buy its `url` with ' +
      'v1_create_purchase_intent, and name the `id` of one of several variants in `variant`.',
    body: Named(
      'CatalogProductRequest',
      Closed({ id: ProductName, merchant: MerchantRef }, { description: 'Which product.' }),
    ),
    examples: {
      id: { summary: 'By the id of a variant', body: { id: exampleId('var'), merchant: { slug: 'shoes' } } },
    },
    responses: { 200: CatalogProduct, 202: PendingProduct },
    answers: {
      202: 'The shop has not answered within 25 seconds. Ask the same again after `Retry-After` seconds.',
    },
    replyHeaders: { 202: ['Retry-After'] },
    problems: ['not_found'],
    outside: { ports: [CatalogSources], budgetMs: sourcesBudgetMs },
    async handle(ctx, { body }) {
      const { id, merchant } = body
      requireOneName([{ ref: merchant, loc: ['body', 'merchant'] }])
      await takeDiscoveryRate(ctx)
      const shop = isUrl(id) ? await pages.shopAt(ctx, id, merchant) : null
      const { accounts, questions } = await readAsked(ctx, merchant, [id], { isSomebody: shop !== null })
      const own = await Promise.all(accounts.map((account) => readNamedItems(ctx, account, [id])))
      const [item] = own.flat()
      if (item) return reply(200, productOf(item))
      const elsewhere = await Promise.all(questions.map((question) => readElsewhere(ctx, question, id)))
      const [product] = elsewhere.flatMap((one) => one.products)
      if (product) return reply(200, product)
      if (shop) return await lookedAt(ctx, pages, { url: id, shop })
      // Whether it exists is not known, and asking again may help.
      if (elsewhere.some(({ fault }) => fault !== null)) throw busy()
      throw nothingThere()
    },
  })
}

type Page = { readonly url: string; readonly shop: ShopOfPage }
type ProductReply =
  | Reply<200, CatalogProduct>
  | Reply<202, { object: 'catalog_product_pending'; url: string; retry_after_seconds: number }>

async function lookedAt(ctx: CallContext, pages: ProductPages, page: Page): Promise<ProductReply> {
  const { now, settled } = await pages.look(ctx, page.url)
  const first = replyTo(now, page)
  if (first instanceof Problem) throw first
  return settled === null ? first : { ...first, settle: async () => replyTo(await settled(), page) }
}

function replyTo(look: PageLook, { url, shop }: Page): ProductReply | Problem {
  switch (look.kind) {
    case 'pending': {
      const { retryAfterSeconds } = look
      const body = {
        object: 'catalog_product_pending' as const,
        url,
        retry_after_seconds: retryAfterSeconds,
      }
      return reply(202, body, { headers: { 'retry-after': String(retryAfterSeconds) } })
    }
    case 'unavailable':
      return busy()
    case 'seen': {
      const product = look.sold && productAtPage(look.sold, { url, shop })
      return product ? reply(200, product) : nothingThere()
    }
    default:
      return look satisfies never
  }
}

/** Its own address is the one that was asked for: by it, the same is bought. */
function productAtPage(
  { product, source: kind, isPayable }: NonNullable<Extract<PageLook, { kind: 'seen' }>['sold']>,
  { url, shop: { id, name, domain } }: Page,
): CatalogProduct | null {
  const merchant = { name, slug: null, domain, country: null, verified: false }
  const source = { id, kind, merchant, sellsOverUcp: kind === 'public_ucp' && isPayable }
  return sourceProductOf({ source, isBoughtElsewhere: isPayable }, { ...product, url })
}

function nothingThere(): Problem {
  return new Problem('not_found', { param: 'id' })
}
