import type { CallContext } from '../../../../contract/context.ts'
import { invalid, Problem } from '../../../../contract/problem.ts'
import { toWire } from '../../../../core/money.ts'
import type { CodeFacts } from '../../../../platform/vault-client/vault-words.ts'
import { isTestIdentifier, testCvcs } from '../../../buyers/payment-methods/public.ts'
import type { LoadedIntent } from '../intent.ts'
import { selectProfileOfIntent } from '../intents.sql.ts'
import type { ApprovalTerms } from './decide-approve.ts'
import { type PaymentProofs, TypedCodes, type UsedProof } from './payment-proofs.ts'

/** The fields of an approval in which what a component has given stands. */
type Passed = {
  readonly temporary_cvc_token_id?: string
  readonly payment_verification?: { readonly assertion?: string }
}

export type Proven = UsedProof & { kind: 'proven' }

const typedToken = /^pr_cvc_(test|live)_[0-9A-Za-z]{33}$/

export function isTypedToken(token: string): boolean {
  return typedToken.test(token)
}

export const noToken = `this is neither a token of a security code nor, in test mode, ${testCvcs.join(' or ')}`

export function checkCvcToken(ctx: CallContext, token: string | undefined): void {
  if (token === undefined) return
  // guard no-test-code-in-live-mode: live mode takes no identifier of a test security code
  if (ctx.tenant.mode === 'live' && isTestIdentifier(token)) {
    throw new Problem('test_card_identifier_not_allowed_in_live_mode', { param: 'temporary_cvc_token_id' })
  }
  const isTestCvc = testCvcs.some((listed) => listed === token)
  if (!isTestCvc && !isTypedToken(token)) {
    throw invalid(['body', 'temporary_cvc_token_id'], noToken)
  }
}

/** Whether it is what a component gives for a proof, and nothing that a person or a test card says. */
export function isPassedOn(assertion: string | undefined): assertion is string {
  return assertion?.startsWith('pv_') === true
}

/** Takes the code behind a token for this purchase, before anything is locked; null: the token is none of a typed code. */
export async function takeTypedCode(
  ctx: CallContext,
  intentId: string,
  { temporary_cvc_token_id: token }: Passed,
): Promise<CodeFacts | null> {
  if (token === undefined || !isTypedToken(token)) return null
  const { accountId: account_id, mode } = ctx.tenant
  const of = await ctx.reads.maybe(selectProfileOfIntent({ account_id, mode, id: intentId }))
  if (!of) throw new Problem('not_found', { param: 'purchase_intent_id' })
  const asked = { tenant: ctx.tenant, token, profile: of.profile_id, purchase: intentId }
  const said = await ctx.port(TypedCodes).takeCode(asked)
  switch (said.kind) {
    case 'taken':
      return said
    case 'away':
      throw new Problem('unavailable', { headers: { 'retry-after': '1' } })
    case 'other_purchase':
      throw new Problem('verification_wrong_intent', { param: 'temporary_cvc_token_id' })
    // It is too old, or the vault has lost it: the person types it again.
    case 'none':
      return null
    default:
      return said satisfies never
  }
}

type Approving = {
  readonly loaded: LoadedIntent
  readonly terms: ApprovalTerms
  readonly body: Passed
}

/** Uses up what was passed on, unless the approval is refused after all. The proof of a component, if one is among it. */
export async function useProofs(
  ctx: CallContext,
  proofs: PaymentProofs,
  { loaded, terms, body }: Approving,
): Promise<Proven | null> {
  const intentId = loaded.intent.id
  const { temporary_cvc_token_id: code, payment_verification } = body
  // guard codes-approve-once: a security code that was typed once approves one purchase
  if (code !== undefined && isTypedToken(code) && !(await proofs.useCode(ctx, { token: code, intentId })))
    throw new Problem('verification_used', { param: 'temporary_cvc_token_id' })
  const token = payment_verification?.assertion
  if (!isPassedOn(token)) return null
  const param = 'payment_verification.assertion'
  const proof = await proofs.use(ctx, { token, intentId })
  switch (proof.kind) {
    case 'proven':
      // guard proof-of-the-cap: what was proven at one cap approves no other
      if (proof.amount !== terms.cap)
        throw new Problem('approval_stale', { param, extra: { max_allowed_amount: toWire(terms.cap) } })
      return proof
    case 'used':
      throw new Problem('verification_used', { param })
    case 'wrong_intent':
      throw new Problem('verification_wrong_intent', { param })
    case 'none':
      return null
    default:
      return proof satisfies never
  }
}
