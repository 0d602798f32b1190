import Type from 'typebox'
import { exampleId } from '../../../../contract/examples.ts'
import { defineOperation, reply } from '../../../../contract/operation.ts'
import { Problem } from '../../../../contract/problem.ts'
import { Closed, IdParam, Named, OneOf } from '../../../../contract/schemas.ts'
import { min } from '../../../../core/money.ts'
import type { CartRow } from '../cart.ts'
import { type CartChanges, changeIntent } from '../change-intent.ts'
import { decideReconciled, isUnknown } from '../decide-finish.ts'
import { failureOf } from '../failure.ts'
import { endReservation } from '../finish.ts'
import { PurchaseIntent } from '../intent.ts'
import { lockIntentWithCarts } from '../lock-purchase.ts'
import type { ChargeOf } from '../port.ts'
import { cleanupOf } from '../stop-carts.ts'

const PurchaseIntentReconcile = Named(
  'PurchaseIntentReconcile',
  Closed(
    {
      cart_id: IdParam('The cart that failed with `outcome_unknown`.', 'cart'),
      outcome: OneOf(['placed', 'not_placed'], { description: 'Whether the shop has the order.' }),
      order_id: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 255,
          description: "With `placed`: the shop's own order reference.",
        }),
      ),
    },
    { description: 'Whether the shop has the order.' },
  ),
)

export function reconcilePurchaseIntent(chargeOf: ChargeOf) {
  return defineOperation({
    id: 'v1_reconcile_purchase_intent',
    method: 'POST',
    path: '/v1/purchase_intents/{purchase_intent_id}/reconcile',
    auth: 'secret',
    // guard reconciling-is-approving: a key that may not approve does not decide what was bought
    scope: 'purchase_intents:approve',
    tag: 'Purchase intents',
    summary: 'Report the outcome of a cart',
    description:
      'For a person who has checked with the merchant: the cart failed with `outcome_unknown`, because it could not be found ' +
      'out whether the order was placed. `placed` makes the cart succeed, at what the card was charged or at the price of ' +
      'its offer. After `not_placed`, whatever was charged is refunded, and the cart can be retried.',
    destructive: true,
    params: Closed({ purchase_intent_id: IdParam('The purchase intent.', 'pi') }),
    body: PurchaseIntentReconcile,
    examples: {
      placed: {
        summary: 'Report that the shop has the order',
        body: { cart_id: exampleId('cart'), outcome: 'placed', order_id: 'A-1001' },
      },
      not_placed: {
        summary: 'Report that the shop has no such order',
        body: { cart_id: exampleId('cart'), outcome: 'not_placed' },
      },
    },
    responses: { 200: PurchaseIntent },
    problems: ['not_found', 'not_reconcilable'],
    async handle(ctx, { path, body }) {
      const loaded = await lockIntentWithCarts(ctx, path.purchase_intent_id)
      if (!loaded) throw new Problem('not_found', { param: 'purchase_intent_id' })
      const cart = loaded.carts.find(({ id }) => id === body.cart_id)
      if (!cart) throw new Problem('not_found', { param: 'cart_id' })
      // guard reconciled-when-unknown: a person decides only about carts whose outcome is unknown
      if (!isUnknown(cart)) throw new Problem('not_reconcilable')
      const outcome =
        body.outcome === 'placed'
          ? placed(
              cart,
              await chargeOf(ctx, { cartId: cart.id, attempt: cart.attempt_number }),
              body.order_id,
            )
          : notPlaced()
      // A worker closes the calls that were left open for this decision, and refunds charges without a purchase.
      const changes = { ...outcome, ...cleanupOf(ctx, cart) }
      const carts = [{ id: cart.id, changes }]
      const after = loaded.carts.map((one) => (one.id === cart.id ? { ...one, ...changes } : one))
      const finish = decideReconciled(after)
      // A retry that waits for approval changes nothing about what was reserved for this one.
      const isWaiting = loaded.intent.retry !== null
      const settled =
        isWaiting || loaded.intent.status === 'failed'
          ? await endReservation(ctx, { ...loaded, carts: after }, finish.reservation)
          : {}
      if (loaded.intent.status !== 'failed') {
        // Other carts still run, or will be tried again; the intent ends when all of them have ended.
        const object = changeIntent(ctx, loaded, {
          intent: isWaiting ? { ...settled, partial: finish.partial, failure: finish.failure } : {},
          carts,
          events: [{ type: 'purchase_intent.reconciled', cartId: cart.id }],
        })
        return reply(200, object)
      }
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
}

/** The cost of a cart that was bought: what the rail captured for it, otherwise its offer; never more than the cart's cap. */
function placed(cart: CartRow, charged: bigint | null, orderId: string | undefined): CartChanges {
  const cost = charged ?? BigInt(cart.offer?.total ?? 0)
  return {
    status: 'succeeded',
    outcome_known: true,
    // guard reconciled-within-the-cap: a cart that a person calls placed counts no more than the cap
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
