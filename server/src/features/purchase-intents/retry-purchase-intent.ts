import Type, { type Static } from 'typebox'
import type { CallContext } from '../../contract/context.ts'
import { defineOperation, reply } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { Closed, IdParam, Named } from '../../contract/schemas.ts'
import { min } from '../../core/money.ts'
import { checkVerification, selectUsablePaymentMethod } from '../payment-methods/public.ts'
import { exchangeReservation, reserve } from '../policies/public.ts'
import { selectProfile } from '../profiles/public.ts'
import { lowerCaps } from './cap.ts'
import type { CartRow, PastAttempt } from './cart.ts'
import { type CartChanges, changeIntent, chargedOf } from './change-intent.ts'
import { isUnknown } from './decide-finish.ts'
import { decideRetry } from './decide-retry.ts'
import { type LoadedIntent, PurchaseIntent } from './intent.ts'
import { holdRequestOf, lockForRelease, refusedByPolicy } from './release-money.ts'

const PurchaseIntentRetry = Named(
  'PurchaseIntentRetry',
  Closed({
    credential_ticket_id: Type.Optional(IdParam('A ticket of the merchant sign-in component.')),
    cart_ids: Type.Optional(
      Type.Array(IdParam('A cart.'), {
        minItems: 1,
        maxItems: 100,
        uniqueItems: true,
        description: 'Default: all that can be.',
      }),
    ),
    profile_payment_method_id: Type.Optional(IdParam('Pay with another card.')),
  }),
)
type PurchaseIntentRetry = Static<typeof PurchaseIntentRetry>

export const retryPurchaseIntent = defineOperation({
  id: 'v1_retry_purchase_intent',
  method: 'POST',
  path: '/v1/purchase_intents/{purchase_intent_id}/retry',
  auth: 'secret',
  scope: 'purchase_intents:write',
  forBound: 'served',
  tag: 'Purchase intents',
  summary: 'Try the failed carts of a purchase again',
  description:
    'Only carts with `can_retry`, inside the cap that was approved. Policies are asked again, and their limits are reserved again.',
  params: Closed({ purchase_intent_id: IdParam('The purchase intent.') }),
  body: PurchaseIntentRetry,
  bodyOptional: true,
  responses: { 200: PurchaseIntent },
  problems: [
    'not_found',
    'not_retryable',
    'frozen',
    'profile_not_active',
    'payment_method_required',
    'payment_verification_required',
    'policy_denied',
    'policy_limit_exceeded',
    'live_payments_not_configured',
  ],
  async handle(ctx, { path, body }) {
    const loaded = await lockForRelease(ctx, path.purchase_intent_id)
    // Nobody can mint tickets yet, so none of this account exists.
    if (body.credential_ticket_id !== undefined)
      throw new Problem('not_found', { param: 'credential_ticket_id' })
    const decided = decideRetry(loaded.intent.status, loaded.carts, body.cart_ids ?? null)
    if (!decided.ok) {
      const { refusal } = decided
      throw new Problem(
        refusal.code,
        refusal.code === 'not_found' ? { param: `cart_ids[${refusal.index}]` } : {},
      )
    }
    if (ctx.tenant.mode === 'live' && !ctx.settings.livePayments)
      throw new Problem('live_payments_not_configured')
    const carts = decided.value
    const caps = carts.map((cart) => cart.max_allowed_amount)
    const [profile, methodId, allowed] = await Promise.all([
      ctx.tx.maybe(
        selectProfile({
          account_id: ctx.tenant.accountId,
          mode: ctx.tenant.mode,
          id: loaded.intent.profile_id,
        }),
      ),
      findMethod(ctx, loaded, body),
      holdAgain(ctx, loaded, carts),
    ])
    if (profile?.status !== 'active') throw new Problem('profile_not_active')
    const lowered = lowerCaps(caps, allowed)
    const others = loaded.carts.filter((cart) => !carts.includes(cart))
    ctx.tx.wake('carts')
    const object = changeIntent(ctx, loaded, {
      intent: {
        status: 'approved',
        payment_method_id: methodId,
        max_allowed_amount: min(
          loaded.intent.max_allowed_amount,
          [...others.map((cart) => cart.max_allowed_amount), ...lowered].reduce((sum, cap) => sum + cap, 0n),
        ),
        failure: null,
        partial: false,
        next_action: null,
        completed_at: null,
        due_at: null,
      },
      carts: carts.map((cart, index) => ({
        id: cart.id,
        changes: {
          ...freshAttempt(ctx, cart),
          max_allowed_amount: lowered[index] ?? cart.max_allowed_amount,
        },
      })),
      events: [{ type: 'purchase_intent.retried' }],
    })
    return reply(200, object)
  },
})

/** The card that pays now. Another one than was approved must not need a step-up: there is nobody here to do it. */
async function findMethod(ctx: CallContext, { intent }: LoadedIntent, body: PurchaseIntentRetry) {
  const { accountId: account_id, mode } = ctx.tenant
  const given = body.profile_payment_method_id
  const method = await ctx.tx.maybe(
    selectUsablePaymentMethod({
      account_id,
      mode,
      profile_id: intent.profile_id,
      payment_method_id: given ?? intent.payment_method_id,
    }),
  )
  if (!method && given !== undefined) throw new Problem('not_found', { param: 'profile_payment_method_id' })
  if (!method) throw new Problem('payment_method_required')
  if (method.id === intent.payment_method_id) return method.id
  // What somebody approved, they approved for that card; who may not approve cannot charge another one for it.
  if (intent.approved_by !== 'policy' && !ctx.scopes.has('purchase_intents:approve')) {
    throw new Problem('insufficient_scope', {
      message: 'This key lacks the scope purchase_intents:approve, which another card needs.',
      param: 'profile_payment_method_id',
    })
  }
  const checked = checkVerification(method, {})
  if (!checked.ok)
    throw new Problem('payment_verification_required', { extra: { next_action: checked.refusal } })
  return method.id
}

/**
 * Reserves what the carts may cost, and answers how much that is now. Where another cart's outcome is unknown the reservation is
 * still held, and is exchanged for one that covers both.
 */
async function holdAgain(ctx: CallContext, loaded: LoadedIntent, carts: readonly CartRow[]): Promise<bigint> {
  const { intent } = loaded
  const unknown = loaded.carts.filter(isUnknown)
  const stillHeld =
    unknown.length === 0
      ? 0n
      : unknown.reduce((sum, cart) => sum + cart.max_allowed_amount, 0n) +
        chargedOf(loaded.carts) -
        intent.settled_amount
  const wanted = carts.reduce((sum, cart) => sum + cart.max_allowed_amount, 0n)
  const expected = carts.reduce((sum, cart) => sum + cart.expected_amount, 0n)
  const request = holdRequestOf(intent, { expected: expected + stillHeld, cap: wanted + stillHeld })
  const held = unknown.length === 0 ? await reserve(ctx, request) : await exchangeReservation(ctx, request)
  if (!held.ok) throw refusedByPolicy(held.refusal)
  return held.value.cap - stillHeld
}

/** The cart as before its first attempt, with what the last one left written down. */
function freshAttempt(ctx: CallContext, cart: CartRow): CartChanges {
  const past: PastAttempt = {
    attempt_number: cart.attempt_number,
    attempt_id: cart.attempt_id,
    order_row_id: cart.order_row_id,
    order_id: cart.order_id,
    transaction_id: cart.transaction_id,
    failure: cart.failure,
  }
  return {
    status: 'created',
    stage: null,
    attempt_number: cart.attempt_number + 1,
    attempt_id: ctx.newId('att'),
    attempts_data: [...cart.attempts_data, past],
    offer: null,
    order_row_id: null,
    order_id: null,
    transaction_id: null,
    failure: null,
    past_no_return: false,
    due_at: ctx.now,
    lease_until: null,
    started_at: null,
    completed_at: null,
  }
}
