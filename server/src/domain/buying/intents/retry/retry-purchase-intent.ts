import Type, { type Static } from 'typebox'
import { agentOf } from '../../../../contract/actor.ts'
import type { CallContext } from '../../../../contract/context.ts'
import { exampleId } from '../../../../contract/examples.ts'
import { defineOperation, reply } from '../../../../contract/operation.ts'
import { invalid, Problem } from '../../../../contract/problem.ts'
import { Closed, IdParam, Named } from '../../../../contract/schemas.ts'
import { given, not, Ruled, whenThen } from '../../../../schema/rules.ts'
import {
  checkVerification,
  type PayingMethod,
  readPayingMethod,
  stepUpOf,
} from '../../../buyers/payment-methods/public.ts'
import { readProfile } from '../../../buyers/profiles/public.ts'
import { admitAgain, exchangeReservation, type PolicyVerdict } from '../../../policies/public.ts'
import { changeIntent } from '../change-intent.ts'
import { type Attention, attentionOf, decideCreate } from '../create/decide-create.ts'
import { accountTolerance } from '../decide/account-tolerance.ts'
import type { CredentialTickets } from '../decide/credential-tickets.ts'
import { redeemTicket } from '../decide/redeem-ticket.ts'
import { decisionOf, lockForRelease, payerOf, refusedByPolicy } from '../decide/release-money.ts'
import { byPolicy, type IntentBuyer, type LoadedIntent, PurchaseIntent } from '../intent.ts'
import { frozenBuyer } from '../intent-buyer.ts'
import { whyNotRetryable } from '../read/why-refused.ts'
import { decideRetry, isApprovalStanding } from './decide-retry.ts'
import { type Retried, retryCarts, retryRequestOf } from './retry-carts.ts'

const rules = {
  by_component: 'a component sends `credential_ticket_id`, and nothing else',
  alone:
    'A ticket is for one cart, which goes on as it was approved. Leave out `cart_ids` and `profile_payment_method_id`.',
}

const PurchaseIntentRetry = Named(
  'PurchaseIntentRetry',
  Ruled(
    Closed(
      {
        credential_ticket_id: Type.Optional(
          IdParam('A ticket of the merchant sign-in: its cart goes on.', 'ticket'),
        ),
        cart_ids: Type.Optional(
          Type.Array(IdParam('A cart.', 'cart'), {
            minItems: 1,
            maxItems: 100,
            uniqueItems: true,
            description: 'Only these carts. Default: every cart with `can_retry`.',
          }),
        ),
        profile_payment_method_id: Type.Optional(IdParam('Charge another payment method.', 'pm')),
      },
      { description: 'What to try again.' },
    ),
    rules,
    [
      whenThen(given('credential_ticket_id'), not(given('cart_ids', 'array'))),
      whenThen(given('credential_ticket_id'), not(given('profile_payment_method_id'))),
    ],
  ),
)
type PurchaseIntentRetry = Static<typeof PurchaseIntentRetry>

/** `tickets`: whoever makes tickets for sign-ins at merchants. */
export function retryPurchaseIntent(tickets: CredentialTickets) {
  return defineOperation({
    id: 'v1_retry_purchase_intent',
    method: 'POST',
    path: '/v1/purchase_intents/{purchase_intent_id}/retry',
    auth: 'secret',
    scope: 'purchase_intents:write',
    forBound: 'served',
    surfaces: ['v1', 'mcp', 'elements'],
    tag: 'Purchase intents',
    summary: 'Retry a purchase intent',
    description:
      'Tries the failed carts again, within the cap of the purchase; what was bought is not bought again. What a ' +
      'person approved is tried without asking again until `approval.valid_until`. Anything ' +
      "else is decided by today's policies: it is `queued`, waits in `awaiting_approval`, or is refused. Today's limits " +
      'always apply. Next, follow it with v1_get_purchase_intent.',
    params: Closed({ purchase_intent_id: IdParam('The purchase intent.', 'pi') }),
    body: PurchaseIntentRetry,
    bodyOptional: true,
    examples: {
      failed_carts: { summary: 'Try every failed cart again', body: {} },
      other_card: {
        summary: 'Try again with another card',
        body: { profile_payment_method_id: exampleId('pm') },
      },
    },
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
      'operator_limit_reached',
      'ticket_wrong_intent',
      'ticket_used',
    ],
    async handle(ctx, { path, body }) {
      // guard component-sends-a-ticket: whoever reaches a component has nothing bought again, and no other card charged
      if (ctx.actor.type === 'cardholder' && body.credential_ticket_id === undefined)
        throw invalid(['body', 'credential_ticket_id'], rules.by_component)
      const [loaded, tolerancePercent] = await Promise.all([
        lockForRelease(ctx, path.purchase_intent_id),
        accountTolerance(ctx),
      ])
      if (body.credential_ticket_id !== undefined) {
        assertAlone(body)
        const redeemed = await redeemTicket(ctx, loaded, { id: body.credential_ticket_id, tickets })
        return redeemed instanceof Problem ? redeemed : reply(200, redeemed)
      }
      const decided = decideRetry(loaded.intent.status, loaded.carts, body.cart_ids ?? null)
      if (!decided.ok) {
        const { refusal } = decided
        if (refusal.code === 'not_found')
          throw new Problem('not_found', { param: `cart_ids[${refusal.index}]` })
        throw new Problem('not_retryable', { message: whyNotRetryable(loaded.intent.status, loaded.carts) })
      }
      // guard live-retries-need-a-rail: live mode tries nothing again where nothing can be paid
      if (ctx.tenant.mode === 'live' && !ctx.settings.livePayments)
        throw new Problem('live_payments_not_configured')
      const retried = { loaded, carts: decided.value }
      const isStanding = isApprovalStanding(loaded.intent, ctx.now)
      const method = findMethod(ctx, loaded, { body, isStanding })
      const paidBy = payerOf(body.profile_payment_method_id ?? loaded.intent.payment_method_id, () => method)
      const [profile, release] = await Promise.all([
        readProfile(ctx.tx, ctx.tenant, loaded.intent.profile_id),
        // guard retry-is-decided-anew: a purchase that policies allowed once is not bought unattended when they do not allow it now
        isStanding
          ? retryApproved(ctx, retried, { paying: method, paidBy })
          : retryAnew(ctx, retried, { paying: method, paidBy, tolerancePercent }),
      ])
      // guard retry-for-an-active-profile: nothing is tried again for an archived profile
      if (profile?.status !== 'active') throw new Problem('profile_not_active')
      return reply(200, release(frozenBuyer(profile, loaded.intent.fulfillment)))
    },
  })
}

/** A ticket is for one cart, which goes on as it was approved. */
function assertAlone({ cart_ids, profile_payment_method_id }: PurchaseIntentRetry): void {
  if (cart_ids === undefined && profile_payment_method_id === undefined) return
  throw invalid(['body', 'credential_ticket_id'], rules.alone)
}

/**
 * The card that pays this time. If it is not the card that a person approved, it must not need a step-up: no person is present to do it.
 */
async function findMethod(
  ctx: CallContext,
  { intent }: LoadedIntent,
  { body, isStanding }: { body: PurchaseIntentRetry; isStanding: boolean },
): Promise<PayingMethod> {
  const given = body.profile_payment_method_id
  const named = { profileId: intent.profile_id, id: given ?? intent.payment_method_id }
  const method = await readPayingMethod(ctx.tx, ctx.tenant, named)
  if (!method && given !== undefined) throw new Problem('not_found', { param: 'profile_payment_method_id' })
  if (!method) throw new Problem('payment_method_required')
  if (!isStanding || method.id === intent.payment_method_id) return method
  // A person approved the purchase for one card; a key that may not approve cannot charge another card for it.
  // guard retry-with-the-approved-card: a key that may not approve charges no other card than the approved one
  if (!ctx.scopes.has('purchase_intents:approve')) {
    throw new Problem('insufficient_scope', {
      message:
        'This key lacks the scope purchase_intents:approve, which a change of the card needs. Leave out `profile_payment_method_id`, or ask a person to retry with it.',
      param: 'profile_payment_method_id',
    })
  }
  const checked = checkVerification(method, {})
  if (!checked.ok)
    throw new Problem('payment_verification_required', { extra: { next_action: checked.refusal } })
  return method
}

/** What pays this time: its id, which may be known before it was read. */
type Paying = { readonly paying: Promise<PayingMethod>; readonly paidBy: Promise<string> }

/** Writes the retry for the buyer as the profile is now, once nothing else refuses it. */
type Answering = (buyer: IntentBuyer) => PurchaseIntent

/** A person has approved it: limits, and what policies deny, are those of today. */
async function retryApproved(
  ctx: CallContext,
  retried: Retried,
  { paying, paidBy }: Paying,
): Promise<Answering> {
  // guard approved-retry-by-its-card: a retry with another card is held under the policies of that card
  const request = retryRequestOf(retried, { actingAgentId: agentOf(ctx.actor), paidBy: await paidBy })
  const [method, held] = await Promise.all([
    paying,
    exchangeReservation(ctx, { ...request, isByPerson: true }),
  ])
  // guard retry-is-held: a retry beyond a limit is refused
  if (!held.ok) throw refusedByPolicy(held.refusal)
  const { intent, carts } = retryCarts(ctx, retried, held.value, { isAnew: false })
  return () => {
    ctx.tx.wake('carts')
    return changeIntent(ctx, retried.loaded, {
      intent: { ...intent, status: 'approved', payment_method_id: method.id },
      carts,
      events: [{ type: 'purchase_intent.retried' }],
    })
  }
}

/** No person has approved it, or the approval has ended: it is decided by today's policies, like a new purchase of these carts. */
async function retryAnew(
  ctx: CallContext,
  retried: Retried,
  { paying, paidBy, tolerancePercent }: Paying & { tolerancePercent: number },
): Promise<Answering> {
  // guard anew-by-its-card: a retry is decided by the policies of the card that pays this time
  const card = await paidBy
  const attentionTo = (method: PayingMethod) =>
    attentionOf({
      method,
      stepUp: stepUpOf(method),
      tenant: ctx.tenant,
      livePayments: ctx.settings.livePayments,
      shipTo: retried.loaded.intent.ship_to,
    })
  const [method, { verdict, policiesAllow }] = await Promise.all([
    paying,
    admitAgain(ctx, {
      // guard retry-for-who-asks: a key has another key’s purchase tried again only where it may itself
      ...retryRequestOf(retried, { actingAgentId: agentOf(ctx.actor), paidBy: card }),
      // guard account-tolerance-of-today: a retry is decided with the tolerance of today, as a new purchase is
      tolerancePercent,
      // guard retry-counts-again: each decision about a purchase is one more of the window
      countsAgain: true,
      // guard retry-asks-for-the-step-up: a card that needs its holder is not charged unattended by a retry
      stepUp: paying.then((found) => attentionTo(found).kind !== 'none'),
    }),
  ])
  // guard denied-retry: a purchase that policies deny today is not tried again
  if (verdict.result === 'deny') throw refusedByPolicy({ code: 'policy_denied', verdict })
  return verdict.result === 'allow'
    ? (buyer) => queueAgain(ctx, retried, { verdict, method, buyer })
    : () => askAgain(ctx, retried, { verdict, method, policiesAllow, attention: attentionTo(method) })
}

type Decided = { readonly verdict: PolicyVerdict; readonly method: PayingMethod }

function queueAgain(
  ctx: CallContext,
  retried: Retried,
  { verdict, method, buyer }: Decided & { buyer: IntentBuyer },
): PurchaseIntent {
  const { intent, carts } = retryCarts(ctx, retried, verdict, { isAnew: true })
  ctx.tx.wake('carts')
  return changeIntent(ctx, retried.loaded, {
    intent: {
      ...intent,
      ...decisionOf(verdict),
      status: 'queued',
      payment_method_id: method.id,
      buyer,
      approval_required: false,
      approved_by: byPolicy,
      approved_at: ctx.now,
      approval_expires_at: null,
    },
    carts,
    events: [{ type: 'purchase_intent.retried' }, { type: 'purchase_intent.queued' }],
  })
}

/** The carts stay as they failed until the retry is approved; the request for it is written down. */
function askAgain(
  ctx: CallContext,
  { loaded, carts }: Retried,
  how: Decided & { policiesAllow: boolean; attention: Attention },
): PurchaseIntent {
  const { nextAction, approvalExpiresAt } = decideCreate(how.verdict, how.attention, {
    now: ctx.now,
    policiesAllow: how.policiesAllow,
  })
  return changeIntent(ctx, loaded, {
    intent: {
      ...decisionOf(how.verdict),
      status: 'awaiting_approval',
      payment_method_id: how.method.id,
      approval_required: true,
      approval_expires_at: approvalExpiresAt,
      next_action: nextAction,
      retry: {
        cart_ids: carts.map(({ id }) => id),
        api_key_id: ctx.keyId,
        previous_payment_method_id: loaded.intent.payment_method_id,
      },
      completed_at: null,
      due_at: approvalExpiresAt,
    },
    events: [{ type: 'purchase_intent.retried' }, { type: 'purchase_intent.awaiting_approval' }],
  })
}
