import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, Text } from '../../../contract/schemas.ts'
import { MppHeaders } from '../../../protocols/mpp/mpp-call.ts'
import { CatalogProduct, readNamedProducts, takeDiscoveryRate } from '../listings/public.ts'

export const mppGetProduct = defineOperation({
  id: 'mpp_get_product',
  method: 'GET',
  path: '/products/{product_id}',
  auth: 'payer',
  scope: null,
  surfaces: ['mpp'],
  forBound: 'refused',
  tag: 'MPP catalog',
  summary: 'Read a product of this merchant',
  description: 'Shows a product with the variants that can be ordered.',
  headers: MppHeaders,
  params: Closed({ product_id: Text(255, { description: 'The product, by its id, handle or SKU.' }) }),
  responses: { 200: CatalogProduct },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    await takeDiscoveryRate(ctx)
    const [found] = await readNamedProducts(ctx, ctx.tenant.accountId, [path.product_id])
    if (!found) throw new Problem('not_found')
    return reply(200, found.product)
  },
})
