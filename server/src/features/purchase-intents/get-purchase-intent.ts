import { defineOperation, reply } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { Closed, IdParam } from '../../contract/schemas.ts'
import { readIntentWithCarts } from './change-intent.ts'
import { PurchaseIntent, renderIntent } from './intent.ts'

export const getPurchaseIntent = defineOperation({
  id: 'v1_get_purchase_intent',
  method: 'GET',
  path: '/v1/purchase_intents/{purchase_intent_id}',
  auth: 'secret',
  scope: 'purchase_intents:read',
  forBound: 'served',
  tag: 'Purchase intents',
  summary: 'Read a purchase intent',
  description:
    'Shows its status, its carts (one for each shop), what was charged, and `next_action` when a person must do something.',
  params: Closed({ purchase_intent_id: IdParam('The purchase intent.') }),
  responses: { 200: PurchaseIntent },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    const loaded = await readIntentWithCarts(ctx, path.purchase_intent_id)
    if (!loaded) throw new Problem('not_found', { param: 'purchase_intent_id' })
    return reply(200, renderIntent(loaded.intent, loaded.carts, ctx.tenant))
  },
})
