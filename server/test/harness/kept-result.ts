import type { Tenant } from '../../src/contract/context.ts'
import { keepResult } from '../../src/domain/buying/cart-results/public.ts'
import { runAs } from '../../src/platform/calls/run-as.ts'
import type { TestApp } from './app.ts'

/** What a merchant has answered to a paid request of this purchase; returns the cart. */
export function keptResult(app: TestApp, tenant: Tenant, intentId: string, text: string): Promise<string> {
  return runAs(app.parts, { tenant, actor: { type: 'system', id: 'carts' } }, async (ctx) => {
    const cartId = ctx.newId('cart')
    const of = { intentId: intentId as `pi_${string}`, cartId } // an id that the API has given
    keepResult(ctx, of, { bytes: Buffer.from(text), contentType: 'text/plain', receipt: text })
    return cartId
  })
}
