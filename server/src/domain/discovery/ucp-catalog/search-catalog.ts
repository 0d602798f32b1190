import { defineOperation, reply } from '../../../contract/operation.ts'
import { invalid } from '../../../contract/problem.ts'
import { UcpHeaders } from '../../../protocols/ucp/ucp-call.ts'
import { correctedWord, nothingFound, searchMerchant, takeDiscoveryRate } from '../listings/public.ts'
import { ProductsAnswer } from './catalog-answer.ts'
import { priceOf, SearchRequest } from './catalog-request.ts'
import { ucpProduct } from './ucp-product.ts'

const limitDefault = 10
const limitMax = 50

export const ucpSearchCatalog = defineOperation({
  id: 'ucp_search_catalog',
  method: 'POST',
  path: '/catalog/search',
  auth: 'platform',
  scope: null,
  surfaces: ['ucp'],
  readOnly: true,
  forBound: 'refused',
  tag: 'UCP catalog',
  summary: 'Find products of this business',
  description: 'Searches the products of this business by words, filters, or both.',
  headers: UcpHeaders,
  body: SearchRequest,
  responses: { 200: ProductsAnswer },
  async handle(ctx, { body }) {
    const { filters, pagination } = body
    const query = body.query?.trim() || undefined
    if (query === undefined && filters === undefined) throw invalid(['body'], 'give a query or a filter')
    await takeDiscoveryRate(ctx)
    const limit = Math.min(pagination?.limit ?? limitDefault, limitMax)
    const search = { query, categories: filters?.categories, price: priceOf(body) }
    const page = await searchMerchant(ctx, search, { cursor: pagination?.cursor, limit })
    if (!page) throw invalid(['body', 'pagination', 'cursor'], 'this cursor belongs to another search')
    const { products, cursor, corrected } = page
    const isEmpty = products.length === 0 && cursor === null && pagination?.cursor === undefined
    const messages = [...corrected.map(correctedWord), ...(isEmpty ? [nothingFound] : [])]
    return reply(200, {
      products: products.map((product) => ucpProduct(product)),
      pagination: { has_next_page: cursor !== null, ...(cursor === null ? {} : { cursor }) },
      ...(messages.length > 0 ? { messages } : {}),
    })
  },
})
