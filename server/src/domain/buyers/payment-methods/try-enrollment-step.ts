import type { CallContext } from '../../../contract/context.ts'
import { Problem } from '../../../contract/problem.ts'
import type { Id } from '../../../core/id.ts'
import { isProven, type VerificationAttempt, verifyEnrollment } from './decide-enrollment.ts'
import type { PaymentMethod, PaymentMethodRow } from './payment-method.ts'
import { selectPaymentMethod } from './payment-methods.sql.ts'
import { countRefusal, stopAfterRefusals } from './refusals.ts'
import { type EnrollmentStep, testCardOf } from './test-cards.ts'
import { findMethod, lockMethodsOf, writeMethod } from './write-payment-method.ts'

type Named = { readonly profileId: string; readonly id: string }

/** The step that the enrollment of a card waits for; null: for none. */
export async function nextEnrollmentStep(
  ctx: CallContext,
  { profile_id, payment_method_id: id }: { profile_id: string; payment_method_id: string },
): Promise<{ profileId: Id<'prof'>; id: Id<'pm'>; method: EnrollmentStep } | null> {
  const { accountId: account_id, mode } = ctx.tenant
  const row = await ctx.reads.maybe(selectPaymentMethod({ account_id, mode, profile_id, id }))
  if (!row) throw new Problem('not_found', { param: 'payment_method_id' })
  requireEnroller(ctx, row)
  const [method] = row.pending_steps
  return row.agentic_status !== 'pending_verification' || method === undefined
    ? null
    : { profileId: row.profile_id, id: row.id, method }
}

type Tried =
  | { readonly kind: 'not_pending' }
  | { readonly kind: 'accepted' | 'refused'; readonly method: PaymentMethod }

/** Tries a step of an enrollment and counts it. A refusal must be committed: the third in a row ends the enrollment. */
export async function tryEnrollmentStep(
  ctx: CallContext,
  { profileId, id }: Named,
  /** What a person says, or what was found out about it elsewhere. */
  attempt: VerificationAttempt | { method: EnrollmentStep; isProven: boolean },
  /** The session of the component to which it was said, if it was said to one. */
  session: Buffer | null = ctx.component?.hash ?? null,
): Promise<Tried> {
  const { methods } = await lockMethodsOf(ctx, profileId)
  await stopAfterRefusals(ctx, profileId)
  const row = findMethod(methods, id)
  requireEnroller(ctx, row)
  const card = row.test_card === null ? null : testCardOf(row.test_card)
  const { method } = attempt
  const verdict = verifyEnrollment(row, {
    method,
    isProven: 'isProven' in attempt ? attempt.isProven : isProven(card, attempt),
  })
  if (verdict.kind === 'not_pending') return verdict
  countRefusal(ctx, profileId, verdict.kind === 'refused')
  const type = verdict.kind === 'accepted' ? 'payment_method.verified' : 'payment_method.verification_refused'
  const where = verdict.kind === 'accepted' ? provenIn(session, row) : {}
  const { object } = writeMethod(ctx, row, { ...verdict.enrollment, ...where }, type)
  return { kind: verdict.kind, method: object }
}

/** Who enrolls a card proves it from then on: in a component that nobody vouches for, that is a card that was added in it, and no other. */
function requireEnroller(
  { component }: Pick<CallContext, 'component'>,
  { added_in }: PaymentMethodRow,
): void {
  if (component === null || component.isVouched) return
  // guard enrolled-by-its-holder: who has only copied a key makes no passkey for the card of somebody else
  if (added_in?.equals(component.hash) !== true)
    throw new Problem('client_secret_required', {
      message:
        'This card was not added in this component, so its enrollment goes on under a client secret alone. Have your server ask for one with v1_create_element_client_secret.',
    })
}

/** What one step leaves of the claim that a card was added and proven in one session. */
function provenIn(
  session: Buffer | null,
  { added_in }: PaymentMethodRow,
): Pick<PaymentMethodRow, 'added_in' | 'proven_there'> {
  // guard proven-where-it-was-added: a card that somebody else has proven gets no budget from the page that added it
  const isThere = session !== null && added_in?.equals(session) === true
  return isThere ? { added_in, proven_there: true } : { added_in: null, proven_there: false }
}
