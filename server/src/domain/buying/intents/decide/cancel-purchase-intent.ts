import Type from 'typebox'
import { exampleId } from '../../../../contract/examples.ts'
import { defineOperation, reply } from '../../../../contract/operation.ts'
import { Problem } from '../../../../contract/problem.ts'
import { Closed, IdParam, Named, Text } from '../../../../contract/schemas.ts'
import { changeIntent } from '../change-intent.ts'
import { endReservation, finishIfDone } from '../finish.ts'
import { type LoadedIntent, PurchaseIntent } from '../intent.ts'
import { lockIntentWithCarts } from '../lock-purchase.ts'
import { isTerminalCart } from '../machine.ts'
import { whyNotCancellable } from '../read/why-refused.ts'
import { stopCarts } from '../stop-carts.ts'
import { decideCancel } from './decide-cancel.ts'
import { confirmingCart } from './payment-action.ts'

const PurchaseIntentCancel = Named(
  'PurchaseIntentCancel',
  Closed(
    {
      reason: Type.Optional(Text(255, { description: 'Why it is cancelled.' })),
      cart_ids: Type.Optional(
        Type.Array(IdParam('A cart.', 'cart'), {
          minItems: 1,
          maxItems: 100,
          uniqueItems: true,
          description: 'Only these carts. Default: the whole purchase.',
        }),
      ),
    },
    { description: 'What to cancel.' },
  ),
)

export const cancelPurchaseIntent = defineOperation({
  id: 'v1_cancel_purchase_intent',
  method: 'POST',
  path: '/v1/purchase_intents/{purchase_intent_id}/cancel',
  auth: 'secret',
  scope: 'purchase_intents:write',
  forBound: 'served',
  tag: 'Purchase intents',
  summary: 'Cancel a purchase intent',
  description:
    'Cancels the whole purchase, or only the carts in `cart_ids`. A cart can be cancelled until its payment is captured or ' +
    'its checkout is submitted to the shop (`can_cancel`). What was authorized is released, and an order that awaits its ' +
    'merchant is cancelled too.',
  destructive: true,
  params: Closed({ purchase_intent_id: IdParam('The purchase intent.', 'pi') }),
  body: PurchaseIntentCancel,
  bodyOptional: true,
  examples: {
    whole: { summary: 'Cancel the whole purchase', body: { reason: 'No longer needed' } },
    one_cart: { summary: 'Cancel one cart', body: { cart_ids: [exampleId('cart')] } },
  },
  responses: { 200: PurchaseIntent },
  problems: ['not_found', 'not_cancellable'],
  async handle(ctx, { path, body }) {
    const loaded = await lockIntentWithCarts(ctx, path.purchase_intent_id)
    if (!loaded) throw new Problem('not_found', { param: 'purchase_intent_id' })
    const decided = decideCancel(loaded.intent.status, loaded.carts, body.cart_ids ?? null)
    if (!decided.ok) {
      const { refusal } = decided
      if (refusal.code === 'not_cancellable') throw notCancellable(loaded)
      throw new Problem(refusal.code, { param: `cart_ids[${refusal.index}]` })
    }
    const { cartIds, isWhole } = decided.value
    const reason = body.reason ?? null
    const { changes, events, unstoppable } = await stopCarts(
      ctx,
      loaded.carts.filter(({ id }) => cartIds.includes(id)),
      reason,
    )
    // guard answered-order-is-not-cancelled: a cart whose merchant has answered is not cancelled
    if (unstoppable.length > 0) throw notCancellable(loaded)
    const cancelled = {
      cancel_reason: reason,
      next_action: null,
      reapproval: null,
      retry: null,
      due_at: null,
      lease_until: null,
    } as const
    if (isWhole) {
      const settled = await endReservation(ctx, loaded, 'release')
      const object = changeIntent(ctx, loaded, {
        intent: { ...cancelled, ...settled, status: 'cancelled', failure: null, completed_at: ctx.now },
        carts: changes,
        events: [...events, { type: 'purchase_intent.cancelled' }],
      })
      return reply(200, object)
    }
    // Without the cart that a person is asked about there is no question, and the rest continues under the approval it had.
    const asked = loaded.intent.reapproval?.cart_id ?? confirmingCart(loaded.intent)
    const closesQuestion = cartIds.some((id) => id === asked)
    const goesOn = closesQuestion || leavesSignIn(loaded, cartIds)
    const given = { cancel_reason: reason ?? loaded.intent.cancel_reason }
    const object = changeIntent(ctx, loaded, {
      intent: closesQuestion
        ? { ...cancelled, status: 'approved', approval_expires_at: null }
        : goesOn
          ? { ...given, status: 'approved', next_action: null }
          : given,
      carts: changes,
      events: goesOn ? [...events, { type: 'purchase_intent.approved' }] : events,
    })
    return reply(200, (await finishIfDone(ctx, loaded)) ?? object)
  },
})

function notCancellable({ intent, carts }: LoadedIntent): Problem {
  return new Problem('not_cancellable', { message: whyNotCancellable(intent.status, carts) })
}

/** No cart waits for a sign-in any more when those that did are cancelled and others still run. */
function leavesSignIn({ intent, carts }: LoadedIntent, cancelled: readonly string[]): boolean {
  if (intent.status !== 'awaiting_merchant_auth' && intent.status !== 'merchant_auth_failed') return false
  const open = carts.filter(({ id, status }) => !cancelled.includes(id) && !isTerminalCart(status))
  return open.length > 0 && open.every(({ status }) => status !== 'awaiting_merchant_auth')
}
