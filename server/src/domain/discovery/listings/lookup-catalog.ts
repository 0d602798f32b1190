import Type, { type Static } from 'typebox'
import { exampleId } from '../../../contract/examples.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Closed, Named, OneOf } from '../../../contract/schemas.ts'
import { CatalogSources, sourcesBudgetMs } from '../sources/public.ts'
import { takeDiscoveryRate } from './discovery-rates.ts'
import type { SoldItem } from './listings.sql.ts'
import { lookUpElsewhere, matchElsewhere, readAsked, sourceFailed } from './look-elsewhere.ts'
import { CatalogMessage } from './message.ts'
import { requireOneName } from './name-merchants.ts'
import { type Match, matches, matchOf, readNamedItems } from './named-products.ts'
import { CatalogProduct, CatalogVariant, productOf } from './product.ts'
import { MerchantRef } from './search-request.ts'

const idsMax = 10

/** How a merchant's product or variant can be named. */
export const ProductName = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'The id of a product or a variant, a SKU, a barcode, a handle or a URL.',
  'x-id': true,
})

const LookedUpVariant = Named(
  'CatalogLookupVariant',
  Closed(
    {
      ...CatalogVariant.properties,
      inputs: Type.Array(
        Closed({
          id: Type.String({ description: 'One of `ids`.' }),
          match: OneOf(matches, {
            description:
              '`exact`: it is the id of the variant or the product. Otherwise which of their names it is.',
          }),
        }),
        { minItems: 1, description: 'Which of `ids` mean this variant.' },
      ),
    },
    { description: 'A variant that was asked for.' },
  ),
)

const CatalogLookupResult = Named(
  'CatalogLookupResult',
  Closed(
    {
      products: Type.Array(
        Named(
          'CatalogLookupProduct',
          Closed(
            {
              ...CatalogProduct.properties,
              variants: Type.Array(LookedUpVariant, {
                minItems: 1,
                description: 'The variants that were asked for.',
              }),
            },
            { description: 'A product that was asked for, with these variants alone.' },
          ),
        ),
        { description: 'What was found, each product once.' },
      ),
      missing_ids: Type.Array(Type.String(), {
        description: 'Those of `ids` that mean nothing that is for sale.',
      }),
      messages: Type.Array(CatalogMessage, { description: 'What there is to know about the answer.' }),
    },
    { description: 'What was looked up.' },
  ),
)

export const lookupCatalog = defineOperation({
  id: 'v1_lookup_catalog',
  method: 'POST',
  path: '/v1/catalog/lookup',
  auth: 'optional',
  scope: 'catalog:read',
  readOnly: true,
  reads: 'short',
  forBound: 'served',
  tag: 'Catalog',
  summary: 'Find products of a merchant by their names',
  description:
    'Takes up to 10 ids, SKUs, barcodes, handles or URLs of one merchant, and says which of them means which variant. Prices are in ' +
    'minor units (1999 is $19.99). Next, buy the `url` of a product with v1_create_purchase_intent.',
  body: Named(
    'CatalogLookup',
    Closed(
      {
        ids: Type.Array(ProductName, {
          minItems: 1,
          maxItems: idsMax,
          description: 'What to look up. The same one twice counts once.',
        }),
        merchant: MerchantRef,
      },
      { description: 'What to look up.' },
    ),
  ),
  examples: {
    sku: {
      summary: 'By SKU and by id',
      body: { ids: ['TB-43', exampleId('var')], merchant: { slug: 'shoes' } },
    },
  },
  responses: { 200: CatalogLookupResult },
  problems: ['not_found'],
  outside: { ports: [CatalogSources], budgetMs: sourcesBudgetMs },
  async handle(ctx, { body }) {
    const ids = [...new Set(body.ids)]
    requireOneName([{ ref: body.merchant, loc: ['body', 'merchant'] }])
    await takeDiscoveryRate(ctx)
    const asked = await readAsked(ctx, body.merchant, ids)
    const [own, elsewhere] = await Promise.all([
      Promise.all(asked.accounts.map((account) => readNamedItems(ctx, account, ids))),
      Promise.all(asked.questions.map((question) => lookUpElsewhere(ctx, question))),
    ])
    const products = [
      ...own
        .flat()
        .flatMap((item) =>
          namedVariants(productOf(item), ids, (variant, id) => matchOfItem(item, variant, id)),
        ),
      ...elsewhere.flatMap(({ products }) =>
        products.flatMap((product) =>
          namedVariants(product, ids, (variant, id) => matchElsewhere(product, variant, id)),
        ),
      ),
    ]
    const found = new Set(
      products.flatMap(({ variants }) => variants.flatMap(({ inputs }) => inputs)).map(({ id }) => id),
    )
    const missing = ids.filter((id) => !found.has(id))
    return reply(200, {
      products,
      missing_ids: missing,
      messages: [
        ...elsewhere.flatMap(({ fault }) => (fault === null ? [] : [sourceFailed(fault)])),
        ...missing.map((id) => ({
          type: 'info' as const,
          code: 'not_found',
          content: `This merchant sells nothing by the name "${id}".`,
        })),
      ],
    })
  },
})

type LookedUp = Omit<CatalogProduct, 'variants'> & { variants: Static<typeof LookedUpVariant>[] }

/** The product with the variants that one of these names means; none, where none does. */
function namedVariants(
  product: CatalogProduct,
  ids: readonly string[],
  matchOf: (variant: CatalogProduct['variants'][number], id: string) => Match | null,
): LookedUp[] {
  const variants = product.variants.flatMap((variant) => {
    const inputs = ids.flatMap((id) => {
      const match = matchOf(variant, id)
      return match ? [{ id, match }] : []
    })
    return inputs.length > 0 ? [{ ...variant, inputs }] : []
  })
  return variants.length > 0 ? [{ ...product, variants }] : []
}

function matchOfItem(item: SoldItem, { id }: CatalogProduct['variants'][number], name: string): Match | null {
  const variant = item.variants.find((one) => one.id === id)
  return variant ? matchOf(item, variant, name) : null
}
