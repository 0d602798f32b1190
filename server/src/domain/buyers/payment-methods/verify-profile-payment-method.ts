import Type from 'typebox'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdParam, Named, OneOf } from '../../../contract/schemas.ts'
import { PaymentMethod } from './payment-method.ts'
import { tryEnrollmentStep } from './try-enrollment-step.ts'

export const PaymentVerification = Named(
  'PaymentVerification',
  Closed(
    {
      method: OneOf(['otp', 'passkey', 'popup'], {
        description: 'How the person proves it: what `next_action.method` says.',
      }),
      code: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 32,
          description: 'Needed with `otp`: the one-time password. Test cards take 123456.',
        }),
      ),
      assertion: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 8192,
          description:
            'Needed with `passkey` and `popup`: what it produced. Test cards take any text but `invalid`.',
        }),
      ),
    },
    { description: 'The step by which a person proves that a card is theirs.' },
  ),
)

export const verifyProfilePaymentMethod = defineOperation({
  id: 'v1_verify_profile_payment_method',
  method: 'POST',
  path: '/v1/profiles/{profile_id}/payment_methods/{payment_method_id}/verify',
  auth: 'secret',
  // guard agents-add-no-card: an agent verifies no card
  scope: 'payment_methods:write',
  surfaces: ['v1', 'mcp', 'elements'],
  // By a component, which acts for one profile: no agent that is bound to one has the scope.
  forBound: 'served',
  tag: 'Payment methods',
  summary: 'Verify a payment method',
  description:
    'Completes the enrollment of a card for purchases by agents: answers the step that `next_action` names, `otp` with `code`, ' +
    '`passkey` and `popup` with `assertion`. An attempt without it counts as refused, and three refused attempts reject the enrollment.',
  params: Closed({
    profile_id: IdParam('The profile.', 'prof'),
    payment_method_id: IdParam('The payment method.', 'pm'),
  }),
  body: PaymentVerification,
  examples: {
    otp: {
      summary: 'Answer with the one-time password of a test card',
      body: { method: 'otp', code: '123456' },
    },
    passkey: {
      summary: 'Answer with what a passkey produced',
      body: { method: 'passkey', assertion: 'test-assertion' },
    },
  },
  responses: { 200: PaymentMethod },
  problems: ['not_found', 'enrollment_not_pending', 'verification_failed', 'client_secret_required'],
  async handle(ctx, { path, body }) {
    // guard windows-prove-in-components: what a window of ours asks, a page does not answer for the person
    if (ctx.component !== null && body.method !== 'otp') throw new Problem('enrollment_not_pending')
    const named = { profileId: path.profile_id, id: path.payment_method_id }
    const verdict = await tryEnrollmentStep(ctx, named, body)
    if (verdict.kind === 'not_pending') throw new Problem('enrollment_not_pending')
    // A refused attempt counts, so it is committed with its refusal instead of being rolled back by it.
    // guard refused-passwords-are-kept: a refused password counts although it was refused
    return verdict.kind === 'accepted' ? reply(200, verdict.method) : new Problem('verification_failed')
  },
})
