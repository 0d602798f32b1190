import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { UcpHeaders } from '../../../protocols/ucp/ucp-call.ts'
import { readNamedProducts, takeDiscoveryRate } from '../listings/public.ts'
import { ProductsAnswer } from './catalog-answer.ts'
import { LookupRequest } from './catalog-request.ts'
import { featuredOf, filtered, ucpProduct, ucpVariant } from './ucp-product.ts'

const idsMax = 25

export const ucpLookupCatalog = defineOperation({
  id: 'ucp_lookup_catalog',
  method: 'POST',
  path: '/catalog/lookup',
  auth: 'platform',
  scope: null,
  surfaces: ['ucp'],
  readOnly: true,
  reads: 'short',
  forBound: 'refused',
  tag: 'UCP catalog',
  summary: 'Find products of this business by their names',
  description: `Takes up to ${idsMax} ids, SKUs, barcodes, handles or URLs.`,
  headers: UcpHeaders,
  body: LookupRequest,
  responses: { 200: ProductsAnswer },
  problems: ['request_too_large'],
  async handle(ctx, { body }) {
    const ids = [...new Set(body.ids)]
    if (ids.length > idsMax) throw new Problem('request_too_large')
    await takeDiscoveryRate(ctx)
    const named = await readNamedProducts(ctx, ctx.tenant.accountId, ids)
    const products = named.flatMap(({ product, meanings }) => {
      const left = filtered(product, body)
      if (!left) return []
      const featured = featuredOf(left.variants)
      const variants = left.variants.flatMap((variant) => {
        const inputs = meanings.flatMap(({ name, variantId }) => {
          if (variantId === variant.id) return [{ id: name, match: 'exact' }]
          return variantId === null && variant === featured ? [{ id: name, match: 'featured' }] : []
        })
        return inputs.length > 0 ? [{ ...ucpVariant(variant), inputs }] : []
      })
      return variants.length > 0 ? [ucpProduct(left, variants)] : []
    })
    const known = new Set(named.flatMap(({ meanings }) => meanings.map(({ name }) => name)))
    const messages = ids
      .filter((id) => !known.has(id))
      .map((content) => ({ type: 'info', code: 'not_found', content }))
    return reply(200, { products, ...(messages.length > 0 ? { messages } : {}) })
  },
})
