import Type from 'typebox'
import { defineOperation, reply } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { Closed, IdParam, Named, OneOf } from '../../contract/schemas.ts'
import { min } from '../../core/money.ts'
import type { CartRow } from './cart.ts'
import { type CartChanges, changeIntent, lockIntentWithCarts } from './change-intent.ts'
import { type ChargeRow, selectCharge } from './charges.sql.ts'
import { decideReconciled, isUnknown } from './decide-finish.ts'
import { failureOf } from './failure.ts'
import { endReservation } from './finish.ts'
import { PurchaseIntent } from './intent.ts'

const PurchaseIntentReconcile = Named(
  'PurchaseIntentReconcile',
  Closed({
    cart_id: IdParam('The cart whose outcome is unknown.'),
    outcome: OneOf(['placed', 'not_placed']),
    order_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: "The merchant's reference of the order that was placed.",
      }),
    ),
  }),
)

export const reconcilePurchaseIntent = defineOperation({
  id: 'v1_reconcile_purchase_intent',
  method: 'POST',
  path: '/v1/purchase_intents/{purchase_intent_id}/reconcile',
  auth: 'secret',
  scope: 'purchase_intents:approve',
  tag: 'Purchase intents',
  summary: 'Say what came of a cart whose outcome is unknown',
  description:
    "For a person who has looked into the merchant's records: the cart failed with `outcome_unknown` because neither asking nor closing " +
    'could tell. `placed` makes it succeed at the price of its offer; after `not_placed` it can be tried again.',
  destructive: true,
  params: Closed({ purchase_intent_id: IdParam('The purchase intent.') }),
  body: PurchaseIntentReconcile,
  responses: { 200: PurchaseIntent },
  problems: ['not_found', 'not_reconcilable'],
  async handle(ctx, { path, body }) {
    const loaded = await lockIntentWithCarts(ctx, path.purchase_intent_id)
    if (!loaded) throw new Problem('not_found', { param: 'purchase_intent_id' })
    const cart = loaded.carts.find(({ id }) => id === body.cart_id)
    if (!cart) throw new Problem('not_found', { param: 'cart_id' })
    if (!isUnknown(cart)) throw new Problem('not_reconcilable')
    const charge = await ctx.tx.maybe(
      selectCharge({
        account_id: ctx.tenant.accountId,
        mode: ctx.tenant.mode,
        cart_id: cart.id,
        attempt: cart.attempt_number,
      }),
    )
    if (body.outcome === 'not_placed' && charge && charge.captured_amount > 0n) {
      throw new Problem('not_reconcilable', {
        message: 'The card was charged for this cart. While that stands, trying it again would charge twice.',
      })
    }
    const changes = body.outcome === 'placed' ? placed(cart, charge, body.order_id) : notPlaced()
    const carts = [{ id: cart.id, changes }]
    if (loaded.intent.status !== 'failed') {
      // Other carts still run; the intent ends as all of them say.
      const object = changeIntent(ctx, loaded, {
        carts,
        events: [{ type: 'purchase_intent.reconciled', cartId: cart.id }],
      })
      return reply(200, object)
    }
    const after = loaded.carts.map((one) => (one.id === cart.id ? { ...one, ...changes } : one))
    const finish = decideReconciled(after)
    const settled = await endReservation(ctx, { ...loaded, carts: after }, finish.reservation)
    const object = changeIntent(ctx, loaded, {
      intent: {
        ...settled,
        status: finish.status,
        partial: finish.partial,
        failure: finish.failure,
        next_action: finish.nextAction,
        completed_at: ctx.now,
      },
      carts,
      events: [
        { type: 'purchase_intent.reconciled', cartId: cart.id },
        ...(finish.status === 'succeeded' ? [{ type: 'purchase_intent.succeeded' } as const] : []),
      ],
    })
    return reply(200, object)
  },
})

/** What was bought cost what the rail took for it, or else what was offered; never more than the cart's cap. */
function placed(cart: CartRow, charge: ChargeRow | null, orderId: string | undefined): CartChanges {
  const cost = charge?.captured_amount ?? BigInt(cart.offer?.total ?? 0)
  return {
    status: 'succeeded',
    outcome_known: true,
    actual_amount: min(cost, cart.max_allowed_amount),
    order_id: orderId ?? cart.order_id,
    failure: null,
  }
}

function notPlaced(): CartChanges {
  return {
    outcome_known: true,
    past_no_return: false,
    failure: failureOf('outcome_unknown', {
      message: 'A person found that no order was placed.',
      retry_policy: 'same',
    }),
  }
}
