import { defineOperation, reply } from '../../../contract/operation.ts'
import { UcpHeaders } from '../../../protocols/ucp/ucp-call.ts'
import { readNamedProducts, takeDiscoveryRate } from '../listings/public.ts'
import { ProductAnswer } from './catalog-answer.ts'
import { ProductRequest } from './catalog-request.ts'
import { select, signalsOf } from './select-options.ts'
import { filtered, optionsOf, ucpProduct, ucpVariant } from './ucp-product.ts'

export const ucpGetProduct = defineOperation({
  id: 'ucp_get_product',
  method: 'POST',
  path: '/catalog/product',
  auth: 'platform',
  scope: null,
  surfaces: ['ucp'],
  readOnly: true,
  reads: 'short',
  forBound: 'refused',
  tag: 'UCP catalog',
  summary: 'Read a product of this business',
  description: 'Shows a product with its options, and which of them can be bought with what is chosen.',
  headers: UcpHeaders,
  body: ProductRequest,
  responses: { 200: ProductAnswer },
  async handle(ctx, { body }) {
    await takeDiscoveryRate(ctx)
    const { id, selected, preferences } = body
    const [found] = await readNamedProducts(ctx, ctx.tenant.accountId, [id])
    if (!found) return reply(200, notFound('There is no such product.'))
    const { product, meanings } = found
    const chosen = select(product.variants, {
      variantId: meanings[0]?.variantId ?? null,
      selected,
      preferences,
    })
    const left = filtered({ ...product, variants: [...chosen.variants] }, body)
    if (!left) return reply(200, notFound('No variant of the product is left by the filters.'))
    const options = optionsOf(product).map(({ name, values }) => ({
      name,
      values: values.map(({ label }) => ({
        label,
        ...signalsOf(product.variants, chosen.selected, { name, label }),
      })),
    }))
    return reply(200, {
      product: {
        ...ucpProduct(left, left.variants.map(ucpVariant)),
        ...(options.length > 0 ? { options, selected: chosen.selected } : {}),
      },
    })
  },
})

function notFound(content: string) {
  const message = { type: 'error', code: 'not_found', content, severity: 'unrecoverable' }
  return { ucp: { status: 'error' as const }, messages: [message] }
}
