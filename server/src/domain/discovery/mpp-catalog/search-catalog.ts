import Type from 'typebox'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { invalid } from '../../../contract/problem.ts'
import { Closed, Named, Nullable, Text } from '../../../contract/schemas.ts'
import { MppHeaders } from '../../../protocols/mpp/mpp-call.ts'
import { CatalogProduct, searchMerchant, takeDiscoveryRate } from '../listings/public.ts'

export const mppSearchCatalog = defineOperation({
  id: 'mpp_search_catalog',
  method: 'GET',
  path: '/catalog',
  auth: 'payer',
  scope: null,
  surfaces: ['mpp'],
  reads: 'long',
  forBound: 'refused',
  tag: 'MPP catalog',
  summary: 'Find products of this merchant',
  description: 'Searches what the merchant sells by words; without words it lists all of it.',
  headers: MppHeaders,
  query: Closed({
    q: Type.Optional(Text(256, { description: 'Words to search for.' })),
    cursor: Type.Optional(Text(2048, { description: 'Where the previous page ended.' })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 50, default: 10, description: 'How many products.' }),
    ),
  }),
  responses: {
    200: Named(
      'PaidCatalogPage',
      Closed(
        {
          products: Type.Array(CatalogProduct, { description: 'What was found.' }),
          next_cursor: Nullable(
            Type.String({ description: 'The cursor of the next page; null: there is none.' }),
          ),
        },
        { description: 'A page of products.' },
      ),
    ),
  },
  async handle(ctx, { query: { q, cursor, limit = 10 } }) {
    await takeDiscoveryRate(ctx)
    const search = { query: q?.trim() || undefined, categories: undefined, price: undefined }
    const page = await searchMerchant(ctx, search, { cursor, limit })
    if (!page) throw invalid(['query', 'cursor'], 'this cursor belongs to another search')
    return reply(200, { products: page.products, next_cursor: page.cursor })
  },
})
