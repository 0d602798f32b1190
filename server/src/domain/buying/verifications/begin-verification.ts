import Type from 'typebox'
import type { CallContext } from '../../../contract/context.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdParam, OneOf } from '../../../contract/schemas.ts'
import { elementHash } from '../../../platform/doors/element-door.ts'
import { newToken } from '../../../platform/secrets/keyed-hash.ts'
import { nextEnrollmentStep, readPayingMethod, stepUpOf } from '../../buyers/payment-methods/public.ts'
import { requireCheckedCode } from '../intents/public.ts'
import { requireProver, requireSight, stopAfterRefusedProofs } from './require-prover.ts'
import {
  PaymentVerificationState,
  renderVerification,
  type VerificationRow,
  windowAddress,
} from './verification.ts'
import { insertVerification, selectTerms } from './verifications.sql.ts'

/** How long a person has to prove it, and then the page to use the proof. */
const verificationMinutes = 15

export const createApprovalVerification = defineOperation({
  id: 'elements_create_approval_verification',
  method: 'POST',
  path: '/v1/purchase_intents/{purchase_intent_id}/payment_verifications',
  auth: 'session',
  scope: null,
  surfaces: ['elements'],
  forBound: 'served',
  tag: 'Elements',
  summary: 'Begin to prove a card for a purchase',
  description: 'Says what the holder of a card has to prove before it pays for the purchase.',
  params: Closed({ purchase_intent_id: IdParam('The purchase.', 'pi') }),
  body: Closed({
    profile_payment_method_id: IdParam('The card.', 'pm'),
    agentic_credentials_preference: Type.Optional(
      OneOf(['prefer', 'require', 'never'], { description: 'As of the approval.' }),
    ),
  }),
  responses: { 201: PaymentVerificationState },
  problems: [
    'not_found',
    'not_approvable',
    'insufficient_scope',
    'payment_verification_required',
    'verification_failed',
  ],
  async handle(ctx, { path, body }) {
    requireProver(ctx)
    const { accountId: account_id, mode } = ctx.tenant
    const { purchase_intent_id } = path
    const terms = await ctx.reads.maybe(selectTerms({ account_id, mode, purchase_intent_id }))
    if (!terms) throw new Problem('not_found', { param: 'purchase_intent_id' })
    if (!terms.is_awaiting) throw new Problem('not_approvable')
    const named = { profileId: terms.profile_id, id: body.profile_payment_method_id }
    const card = await readPayingMethod(ctx.reads, ctx.tenant, named)
    if (!card) throw new Problem('not_found', { param: 'profile_payment_method_id' })
    requireSight(ctx, card)
    const approvesHere = ctx.scopes.has('purchase_intents:approve')
    // On a page of ours the card alone says what proves it.
    const preference = approvesHere ? undefined : body.agentic_credentials_preference
    const isAsked = approvesHere || !(terms.is_reapproval && card.id === terms.payment_method_id)
    const stepUp = isAsked ? stepUpOf(card, preference) : 'none'
    // Where a person approves on a page of ours, a card that needs nothing elsewhere needs what shows that it is theirs.
    const method = approvesHere && stepUp === 'none' ? stepUpOf(card, 'never') : stepUp
    if (approvesHere && method === 'cvc') requireCheckedCode(ctx)
    await stopAfterRefusedProofs(ctx, card.id)
    return begin(ctx, {
      profile_id: terms.profile_id,
      payment_method_id: card.id,
      purchase_intent_id: purchase_intent_id as VerificationRow['purchase_intent_id'], // its row was found
      purpose: 'approval',
      method,
      amount: terms.cap,
      currency: terms.currency,
    })
  },
})

export const createEnrollmentVerification = defineOperation({
  id: 'elements_create_enrollment_verification',
  method: 'POST',
  path: '/v1/profiles/{profile_id}/payment_methods/{payment_method_id}/payment_verifications',
  auth: 'secret',
  scope: 'payment_methods:write',
  surfaces: ['elements'],
  forBound: 'served',
  tag: 'Elements',
  summary: 'Begin the next step of the enrollment of a card',
  description: 'The step that `next_action` of the card names.',
  params: Closed({
    profile_id: IdParam('The profile.', 'prof'),
    payment_method_id: IdParam('The card.', 'pm'),
  }),
  body: Closed({}),
  responses: { 201: PaymentVerificationState },
  problems: ['not_found', 'enrollment_not_pending', 'client_secret_required'],
  async handle(ctx, { path }) {
    const step = await nextEnrollmentStep(ctx, path)
    if (step === null) throw new Problem('enrollment_not_pending')
    return begin(ctx, {
      profile_id: step.profileId,
      payment_method_id: step.id,
      purchase_intent_id: null,
      purpose: 'enrollment',
      method: step.method,
      amount: null,
      currency: null,
    })
  },
})

type Begun = Pick<
  VerificationRow,
  'profile_id' | 'payment_method_id' | 'purchase_intent_id' | 'purpose' | 'method' | 'amount' | 'currency'
>

function begin(ctx: CallContext, begun: Begun) {
  const { accountId: account_id, mode } = ctx.tenant
  const { elements } = ctx.settings
  if (ctx.keyId === null || ctx.component === null || elements === undefined) throw new Problem('not_found')
  const hasWindow = begun.method === 'passkey' || begun.method === 'popup'
  const token = hasWindow ? newToken(`pr_ew_${mode}_`, ctx.random) : null
  const row: VerificationRow = {
    ...begun,
    id: ctx.newId('pver'),
    key_id: ctx.keyId,
    page: ctx.component.page,
    session_hash: ctx.component.hash,
    window_hash: token === null ? null : elementHash(token),
    opened_at: null,
    challenge: null,
    bank_reference: null,
    is_vouched: ctx.component.isVouched,
    wrong_tries: 0,
    status: 'pending',
    used_at: null,
    created_at: ctx.now,
    updated_at: ctx.now,
    expires_at: new Date(ctx.now.getTime() + verificationMinutes * 60_000),
  }
  ctx.tx.write(insertVerification({ account_id, mode, ...row }))
  const address = token === null ? {} : { windowUrl: windowAddress(elements, token) }
  const shown = { mode, now: ctx.now, assertion: null }
  const body = renderVerification(row, shown)
  const { window_url } = renderVerification(row, { ...shown, ...address })
  return reply(201, body, { reveal: { window_url } })
}
