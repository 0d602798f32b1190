import { agentOf } from '../../../../contract/actor.ts'
import type { CallContext, ShownTerms } from '../../../../contract/context.ts'
import { checkAll, invalid, Problem } from '../../../../contract/problem.ts'
import { toWire } from '../../../../core/money.ts'
import {
  isWallet,
  type PayingMethod,
  stepUpOf,
  type VerificationInput,
} from '../../../buyers/payment-methods/public.ts'
import { readProfile } from '../../../buyers/profiles/public.ts'
import { readIntentWithCarts } from '../change-intent.ts'
import { byCardholder, type LoadedIntent } from '../intent.ts'
import { buyerToApprove } from '../intent-buyer.ts'
import { termsToApprove } from './decide-approve.ts'
import { termsDigest } from './shown-terms.ts'

/** What an approval says, as far as a page has to say more than a server. */
type Said = Pick<VerificationInput, 'temporary_cvc_token_id' | 'payment_verification'> & {
  readonly max_allowed_amount?: number
}

const pageRules = {
  cap: 'a page says the cap that the person has seen',
  code: 'a page takes codes that the person has typed: pr_cvc_…',
  proof: 'a page takes what the person has proven to a component: an assertion pv_…',
}

/**
 * The forms in which an approval comes from a page of ours. Whoever holds the link may be the program that asked for the purchase: what
 * test mode takes in place of a proof would let it approve that itself, and so would a cap that nobody has seen.
 */
export function checkPageForms({ component }: Pick<CallContext, 'component'>, said: Said): void {
  if (component === null) return
  const { max_allowed_amount, temporary_cvc_token_id: code, payment_verification: proof } = said
  checkAll(
    () => {
      // guard page-says-the-cap: nobody approves on a page what they have not seen
      if (max_allowed_amount === undefined) throw invalid(['body', 'max_allowed_amount'], pageRules.cap)
    },
    () => {
      // guard no-test-code-on-a-page: on a page only a code that somebody has typed proves anything
      if (code !== undefined && !code.startsWith('pr_cvc_'))
        throw invalid(['body', 'temporary_cvc_token_id'], pageRules.code)
    },
    () => {
      // guard no-test-proof-on-a-page: on a page only what somebody has proven to a component proves anything
      if (proof !== undefined && (proof.code !== undefined || !proof.assertion?.startsWith('pv_')))
        throw invalid(['body', 'payment_verification'], pageRules.proof)
    },
  )
}

/**
 * An approval is for what the person has seen. On a page they say the cap themselves, and of all else its session keeps a digest; who has
 * signed in has confirmed all of it.
 */
export async function checkShownTerms(ctx: CallContext, { intent }: LoadedIntent): Promise<void> {
  if (ctx.component === null && ctx.person === null) return
  const profile = await readProfile(ctx.tx, ctx.tenant, intent.profile_id)
  const terms = ctx.component === null ? confirmedTerms(ctx) : ctx.component.terms
  // guard terms-that-were-shown: what was changed while the page was open is not approved
  if (
    terms === null ||
    profile === null ||
    !terms.equals(termsDigest(intent, buyerToApprove(intent, profile)))
  )
    throw new Problem('approval_stale', {
      message:
        'What is bought, for whom, or where it goes has changed since this page was loaded. Load it again, and approve if you still agree.',
    })
}

/** What a person who has signed in is shown before they approve; null: there is no such purchase, or nothing about it is asked. */
export async function termsForPerson(ctx: CallContext, intentId: string): Promise<ShownTerms | null> {
  const loaded = await readIntentWithCarts(ctx, intentId)
  if (loaded?.intent.status !== 'awaiting_approval') return null
  const { intent } = loaded
  const profile = await readProfile(ctx.reads, ctx.tenant, intent.profile_id)
  if (profile === null) return null
  const { expected, cap } = termsToApprove(intent)
  return {
    what: 'purchase_approved',
    purchase_intent_id: intentId,
    items: intent.items.map(({ url, quantity, unit_amount }) => ({ url, quantity, unit_amount })),
    currency: intent.currency,
    expected_amount: toWire(expected),
    max_allowed_amount: toWire(cap),
    digest: termsDigest(intent, buyerToApprove(intent, profile)).toString('hex'),
  }
}

function confirmedTerms({ confirmed }: Pick<CallContext, 'confirmed'>): Buffer | null {
  const digest = confirmed?.digest
  return typeof digest === 'string' ? Buffer.from(digest, 'hex') : null
}

/** A card that anybody may have added proves nothing: whoever asked for the purchase can add one whose code they know. */
export function checkVouchedCard({ component }: Pick<CallContext, 'component'>, method: PayingMethod): void {
  // guard card-of-the-person: on a page no card proves anything that a page without a secret has added
  if (component === null || method.added_by !== 'page') return
  throw new Problem('payment_verification_required', {
    param: 'profile_payment_method_id',
    message:
      'This card was added in a page that anybody with its address could use, so it does not show who approves. Choose a card that was there before, or ask whoever sent the link to approve in their own shop.',
    extra: {
      next_action: {
        type: 'select_payment_method',
        element: 'AddOrSelectPaymentMethod',
        expires_at: null,
      },
    },
  })
}

/**
 * On a page a card is proven by what it asks for itself, and where it asks for nothing, by its security code or its bank. What the page would
 * prefer counts for nothing.
 */
export function proofOnPage(
  { component }: Pick<CallContext, 'component'>,
  method: PayingMethod,
  given: VerificationInput,
): VerificationInput {
  if (component === null) return given
  // guard proof-that-the-card-asks: whoever has the link does not choose a weaker proof than the card asks for
  const { agentic_credentials_preference: _, ...shown } = given
  // guard page-asks-a-proof: whoever has the link alone approves nothing
  return stepUpOf(method) === 'none' ? { ...shown, agentic_credentials_preference: 'never' } : shown
}

/** In live mode nobody here can tell whether a code is that of the card: so far a rail is told no code. */
export function requireCheckedCode({ tenant }: Pick<CallContext, 'tenant'>): void {
  // guard codes-that-somebody-checks: any three digits approve nothing with real money
  if (tenant.mode !== 'live') return
  throw new Problem('payment_verification_required', {
    param: 'profile_payment_method_id',
    message:
      'Nobody can check the security code of this card in live mode yet, so it does not show who approves. Approve it with a key that may.',
    extra: {
      next_action: { type: 'select_payment_method', element: 'AddOrSelectPaymentMethod', expires_at: null },
    },
  })
}

/** Who approves, as the row names them: the agent of a key, a person who has signed in, or whoever is at a component. */
export function approverIn({ component, person, actor }: CallContext): string | null {
  if (component !== null) return byCardholder
  return person === null ? agentOf(actor) : person.id
}

/**
 * Whether a person releases it, and no program: who has confirmed with a passkey or proven the card, or whose wallet asks them, on a page
 * that shows what they release. What a key releases was released by no person, whatever pays.
 */
export function releasedByPerson(
  { component, person }: Pick<CallContext, 'component' | 'person'>,
  proof: object | null,
  judged: Promise<{ readonly method: PayingMethod }>,
): boolean | Promise<boolean> {
  if (person !== null || proof !== null) return true
  return component !== null && judged.then(({ method }) => isWallet(method))
}
