import Type from 'typebox'
import type { CallContext } from '../../../contract/context.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdParam } from '../../../contract/schemas.ts'
import {
  lockPayingMethod,
  type PaymentMethod,
  stopAfterRefusals,
  tryEnrollmentStep,
} from '../../buyers/payment-methods/public.ts'
import { assertionOf } from './assertion.ts'
import { requireProver } from './require-prover.ts'
import { PaymentVerificationState, renderVerification, type VerificationRow } from './verification.ts'
import { lockVerification, updateVerification } from './verifications.sql.ts'

export const provePaymentByCode = defineOperation({
  id: 'elements_prove_payment_by_code',
  method: 'POST',
  path: '/v1/profiles/{profile_id}/payment_verifications/{payment_verification_id}/code',
  auth: 'session',
  scope: null,
  surfaces: ['elements'],
  forBound: 'served',
  tag: 'Elements',
  summary: 'Prove a card by the code that its bank has sent',
  description: 'Three wrong codes in a row end the enrollment of the card.',
  params: Closed({
    profile_id: IdParam('The profile.', 'prof'),
    payment_verification_id: IdParam('The proof.', 'pver'),
  }),
  body: Closed({ code: Type.String({ minLength: 1, maxLength: 32, description: 'The one-time password.' }) }),
  responses: { 200: PaymentVerificationState },
  problems: [
    'not_found',
    'verification_failed',
    'verification_used',
    'enrollment_not_pending',
    'client_secret_required',
  ],
  async handle(ctx, { path, body }) {
    requireProver(ctx)
    const { accountId: account_id, mode } = ctx.tenant
    const { profile_id, payment_verification_id: id } = path
    const row = await ctx.tx.maybe(lockVerification({ account_id, mode, profile_id, id }))
    if (!row || row.key_id !== ctx.keyId || row.page !== ctx.component?.page || row.method !== 'otp')
      throw new Problem('not_found', { param: 'payment_verification_id' })
    const isOpen = row.status === 'pending' && row.expires_at > ctx.now
    if (!isOpen) throw new Problem('verification_used')
    const { kind, method } = await tryCode(ctx, row, body.code)
    const wrong_tries = row.wrong_tries + (kind === 'proven' ? 0 : 1)
    // guard three-codes-a-proof: a proof that nobody vouches for ends with its third wrong code, and leaves the card as it is
    const isOver = kind === 'over' || wrong_tries >= wrongTriesMax
    const status = kind === 'proven' ? 'proven' : isOver ? 'refused' : 'pending'
    const changed: VerificationRow = { ...row, status, wrong_tries, updated_at: ctx.now }
    ctx.tx.write(updateVerification({ account_id, mode, ...changed }))
    // Returned and not thrown, because the guess is counted.
    if (kind !== 'proven') return new Problem('verification_failed')
    const assertion = assertionOf(ctx.sealer, row.id)
    return reply(200, renderVerification(changed, { mode, now: ctx.now, assertion, method }))
  },
})

const wrongTriesMax = 3

type Verdict = { readonly kind: 'proven' | 'wrong' | 'over'; readonly method: PaymentMethod | null }

/** `over`: it was the last guess, or there is nothing left to prove. */
async function tryCode(
  ctx: CallContext,
  { purpose, profile_id: profileId, payment_method_id: id, is_vouched }: VerificationRow,
  code: string,
): Promise<Verdict> {
  if (purpose === 'enrollment') {
    const tried = await tryEnrollmentStep(ctx, { profileId, id }, { method: 'otp', code })
    if (tried.kind === 'not_pending') throw new Problem('enrollment_not_pending')
    if (tried.kind === 'accepted') return { kind: 'proven', method: tried.method }
    return {
      kind: tried.method.card?.agentic_credentials_status === 'rejected' ? 'over' : 'wrong',
      method: null,
    }
  }
  const method = await lockPayingMethod(ctx, { profileId, id })
  await stopAfterRefusals(ctx, profileId)
  if (!method) throw new Problem('not_found', { param: 'payment_verification_id' })
  if (method.agentic_status !== 'active') return { kind: 'over', method: null }
  const given = { payment_verification: { method: 'otp', code } } as const
  const needed = method.tryStepUp(given, { atCard: is_vouched })
  if (needed === null) return { kind: 'proven', method: null }
  return { kind: needed.method === 'otp' ? 'wrong' : 'over', method: null }
}
