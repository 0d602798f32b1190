import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed, IdParam } from '../../../contract/schemas.ts'
import { readMethod } from '../../buyers/payment-methods/public.ts'
import { assertionOf } from './assertion.ts'
import { requireProver } from './require-prover.ts'
import { PaymentVerificationState, renderVerification } from './verification.ts'
import { selectVerification } from './verifications.sql.ts'

export const getPaymentVerification = defineOperation({
  id: 'elements_get_payment_verification',
  method: 'GET',
  path: '/v1/profiles/{profile_id}/payment_verifications/{payment_verification_id}',
  auth: 'session',
  scope: null,
  surfaces: ['elements'],
  forBound: 'served',
  tag: 'Elements',
  summary: 'See how the proof of a card stands',
  description:
    'The frame asks for it while a window of ours is open, since the two share nothing in a browser.',
  params: Closed({
    profile_id: IdParam('The profile.', 'prof'),
    payment_verification_id: IdParam('The proof.', 'pver'),
  }),
  responses: { 200: PaymentVerificationState },
  problems: ['not_found'],
  async handle(ctx, { path }) {
    requireProver(ctx)
    const { accountId: account_id, mode } = ctx.tenant
    const { profile_id, payment_verification_id: id } = path
    const row = await ctx.reads.maybe(selectVerification({ account_id, mode, profile_id, id }))
    // guard proof-for-its-page: a page reads no proof that was begun in another one
    if (!row || row.key_id !== ctx.keyId || row.page !== ctx.component?.page)
      throw new Problem('not_found', { param: 'payment_verification_id' })
    const isEnrolled = row.purpose === 'enrollment' && row.status === 'proven'
    const named = { profileId: row.profile_id, id: row.payment_method_id }
    const method = isEnrolled ? await readMethod(ctx, named) : null
    const assertion = assertionOf(ctx.sealer, row.id)
    return reply(200, renderVerification(row, { mode, now: ctx.now, assertion, method }))
  },
})
