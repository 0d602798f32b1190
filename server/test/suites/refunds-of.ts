import { refundContradictions, type ToldRefunds } from '../harness/witness.ts'
import { bodyOf, type Service } from './whole-product.ts'

/** The differences between a purchase's refunds at the processor and in its orders. */
export async function refundsOf(service: Service, id: string): Promise<string[]> {
  const testimony = await service.testimony()
  const { carts } = await service.read(id)
  const problems = await Promise.all(
    carts.map(async (cart) => {
      if (cart.order === null) return []
      const request = { method: 'GET', path: `/v1/orders/${cart.order}`, key: service.person }
      const order = bodyOf(await service.client().rest(request), 200)
      const told = order.refunds as ToldRefunds // the contract's own shape
      return refundContradictions(`${id}/${cart.id}`, told, testimony)
    }),
  )
  return problems.flat()
}
