import { exampleId } from '../../../contract/examples.ts'
import { busy } from '../../../contract/limits.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, Named } from '../../../contract/schemas.ts'
import { CatalogSources, sourcesBudgetMs } from '../sources/public.ts'
import { takeDiscoveryRate } from './discovery-rates.ts'
import { readAsked, readElsewhere } from './look-elsewhere.ts'
import { ProductName } from './lookup-catalog.ts'
import { requireOneName } from './name-merchants.ts'
import { readNamedItems } from './named-products.ts'
import { CatalogProduct, productOf } from './product.ts'
import { MerchantRef } from './search-request.ts'

export const getCatalogProduct = defineOperation({
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
    'Shows a product with all its variants. Prices are in minor units (1999 is $19.99). Next, buy its `url` with v1_create_purchase_intent.',
  body: Named(
    'CatalogProductRequest',
    Closed({ id: ProductName, merchant: MerchantRef }, { description: 'Which product.' }),
  ),
  examples: {
    id: { summary: 'By the id of a variant', body: { id: exampleId('var'), merchant: { slug: 'shoes' } } },
  },
  responses: { 200: CatalogProduct },
  problems: ['not_found'],
  outside: { ports: [CatalogSources], budgetMs: sourcesBudgetMs },
  async handle(ctx, { body }) {
    requireOneName([{ ref: body.merchant, loc: ['body', 'merchant'] }])
    await takeDiscoveryRate(ctx)
    const { accounts, questions } = await readAsked(ctx, body.merchant, [body.id])
    const own = await Promise.all(accounts.map((account) => readNamedItems(ctx, account, [body.id])))
    const [item] = own.flat()
    if (item) return reply(200, productOf(item))
    const elsewhere = await Promise.all(questions.map((question) => readElsewhere(ctx, question, body.id)))
    const [product] = elsewhere.flatMap((one) => one.products)
    if (product) return reply(200, product)
    // Whether it exists is not known, and asking again may help.
    if (elsewhere.some(({ fault }) => fault !== null)) throw busy()
    throw new Problem('not_found', { param: 'id' })
  },
})
