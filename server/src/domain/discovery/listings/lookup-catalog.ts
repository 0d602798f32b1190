import Type from 'typebox'
import { exampleId } from '../../../contract/examples.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Closed, Named, OneOf } from '../../../contract/schemas.ts'
import { takeDiscoveryRate } from './discovery-rates.ts'
import { CatalogMessage } from './message.ts'
import { readOne, requireOneName } from './name-merchants.ts'
import { matches, matchOf, readNamedItems } from './named-products.ts'
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
          uniqueItems: true,
          description: 'What to look up.',
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
  async handle(ctx, { body }) {
    const { ids } = body
    requireOneName([{ ref: body.merchant, loc: ['body', 'merchant'] }])
    await takeDiscoveryRate(ctx)
    const items = await readNamedItems(ctx, await readOne(ctx, body.merchant), ids)
    const products = items.flatMap((item) => {
      const product = productOf(item)
      const variants = product.variants.flatMap((variant) => {
        const named = item.variants.find(({ id }) => id === variant.id)
        const inputs = ids.flatMap((id) => {
          const match = named ? matchOf(item, named, id) : null
          return match ? [{ id, match }] : []
        })
        return inputs.length > 0 ? [{ ...variant, inputs }] : []
      })
      return variants.length > 0 ? [{ ...product, variants }] : []
    })
    const found = new Set(
      products.flatMap(({ variants }) => variants.flatMap(({ inputs }) => inputs)).map(({ id }) => id),
    )
    const missing = ids.filter((id) => !found.has(id))
    return reply(200, {
      products,
      missing_ids: missing,
      messages: missing.map((id) => ({
        type: 'info' as const,
        code: 'not_found',
        content: `This merchant sells nothing by the name "${id}".`,
      })),
    })
  },
})
