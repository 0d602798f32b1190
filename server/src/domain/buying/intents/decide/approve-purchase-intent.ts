import Type, { type Static } from 'typebox'
import type { CallContext } from '../../../../contract/context.ts'
import { defineOperation, reply } from '../../../../contract/operation.ts'
import { Problem } from '../../../../contract/problem.ts'
import { Amount, Closed, Described, IdParam, Named, OneOf } from '../../../../contract/schemas.ts'
import { min, toWire } from '../../../../core/money.ts'
import type { CodeFacts } from '../../../../platform/vault-client/vault-words.ts'
import { Ruled } from '../../../../schema/rules.ts'
import {
  checkVerification,
  type LockedMethod,
  lockPayingMethod,
  type PayingMethod,
  PaymentVerification,
  type StepUp,
  stepUpOf,
  type VerificationInput,
} from '../../../buyers/payment-methods/public.ts'
import { type BuyerFacts, readProfile } from '../../../buyers/profiles/public.ts'
import { exchangeReservation, reserve } from '../../../policies/public.ts'
import { changeIntent } from '../change-intent.ts'
import { beginsAt } from '../create/execution-method.ts'
import { readSellers } from '../create/sold-items.ts'
import { type IntentBuyer, type LoadedIntent, PurchaseIntent } from '../intent.ts'
import { buyerToApprove } from '../intent-buyer.ts'
import type { LockedIntentRow } from '../intents.sql.ts'
import { lockIntentWithCarts } from '../lock-purchase.ts'
import { selectPayer } from '../payer.sql.ts'
import { whyNotApprovable } from '../read/why-refused.ts'
import { type Retried, retriedBy, retryCarts, retryRequestOf } from '../retry/retry-carts.ts'
import { accountTolerance } from './account-tolerance.ts'
import {
  approverIn,
  checkPageForms,
  checkShownTerms,
  checkVouchedCard,
  proofOnPage,
  releasedByPerson,
  requireCheckedCode,
  termsForPerson,
} from './approve-in-page.ts'
import { findAddress } from './decide-address.ts'
import { type ApprovalTerms, approvalRefusal, isSoldByOthers, termsToApprove } from './decide-approve.ts'
import { refuseApproval } from './expire-approval.ts'
import { type PaymentProofs, TypedCodes, typedCodesBudgetMs } from './payment-proofs.ts'
import { holdRequestOf, lockForRelease, payerOf, refusedByPolicy } from './release-money.ts'
import { checkCvcToken, isPassedOn, noToken, type Proven, takeTypedCode, useProofs } from './use-proofs.ts'

const PurchaseIntentApprove = Named(
  'PurchaseIntentApprove',
  Closed(
    {
      approve: Type.Boolean({ description: 'True approves the purchase, false declines it.' }),
      profile_payment_method_id: Type.Optional(
        IdParam('What to charge. Default: the payment method of the purchase.', 'pm'),
      ),
      temporary_cvc_token_id: Type.Optional(
        Ruled(
          Type.String({
            minLength: 1,
            maxLength: 255,
            description: 'The security code, as a token; in test mode `cvc_3_digit` or `cvc_4_digit`.',
          }),
          { noToken },
        ),
      ),
      agentic_credentials_preference: Type.Optional(
        OneOf(['prefer', 'require', 'never'], {
          description:
            'Whether the card is charged with its credentials for agents: if possible (`prefer`), only so (`require`), or not (`never`).',
        }),
      ),
      payment_verification: Type.Optional(
        Described(PaymentVerification, 'The verification step that `next_action` asks for.'),
      ),
      max_allowed_amount: Type.Optional(
        Amount(
          'The cap the person saw, in all, in minor units (1999 is $19.99). If it has changed, nothing is approved.',
        ),
      ),
    },
    { description: 'An approval or a refusal.' },
  ),
)
type PurchaseIntentApprove = Static<typeof PurchaseIntentApprove>

/** `proofs`: whoever has people prove that a card is theirs. */
export function approvePurchaseIntent(proofs: PaymentProofs) {
  return defineOperation({
    id: 'v1_approve_purchase_intent',
    method: 'POST',
    path: '/v1/purchase_intents/{purchase_intent_id}/approve',
    auth: 'secret',
    // guard approving-is-a-scope: the right to ask for a purchase is no right to approve it
    scope: 'purchase_intents:approve',
    withoutScope:
      'A person must approve this. Show them `summary`, then call v1_get_purchase_intent with wait_seconds and after_sequence.',
    surfaces: ['v1', 'mcp', 'elements'],
    // By a page of ours, which acts for one profile: no agent that is bound to one has the scope.
    forBound: 'served',
    tag: 'Purchase intents',
    summary: 'Approve or decline a purchase intent',
    description:
      'Approving reserves the cap under every policy and starts the purchase. Declining buys nothing more. A card that needs ' +
      'its security code or a verification step gets it here. While `next_action` is `reapprove_price`, you approve the ' +
      'proposed price and cap. While it is a `verify_payment` that names a cart, the person confirms the payment at its ' +
      '`url`, and only declining is possible: that cart fails. For a retry that waits for approval, you approve the carts it asked for; declining leaves the ' +
      'purchase `failed`, as it was. Next, follow it with v1_get_purchase_intent.',
    destructive: true,
    params: Closed({ purchase_intent_id: IdParam('The purchase intent.', 'pi') }),
    body: PurchaseIntentApprove,
    examples: {
      approve: {
        summary: 'Approve at the cap the person saw',
        body: { approve: true, max_allowed_amount: 5476 },
      },
      security_code: {
        summary: 'Approve with the security code of a test card',
        body: { approve: true, temporary_cvc_token_id: 'cvc_3_digit' },
      },
      decline: { summary: 'Decline', body: { approve: false } },
    },
    responses: { 200: PurchaseIntent },
    problems: [
      'not_found',
      'not_approvable',
      'frozen',
      'profile_not_active',
      'payment_method_required',
      'payment_verification_required',
      'verification_used',
      'verification_wrong_intent',
      'shipping_address_required',
      'approval_stale',
      'merchant_changed',
      'policy_limit_exceeded',
      'policy_denied',
      'live_payments_not_configured',
      'operator_limit_reached',
      'person_required',
      'test_card_identifier_not_allowed_in_live_mode',
    ],
    outside: { ports: [TypedCodes], budgetMs: typedCodesBudgetMs },
    // What cannot be approved is refused by the operation itself, and nobody confirms it.
    confirms: async (ctx, { path, body }) =>
      body.approve ? await termsForPerson(ctx, path.purchase_intent_id) : null,
    async handle(ctx, { path, body }) {
      checkCvcToken(ctx, body.temporary_cvc_token_id)
      if (!body.approve) return reply(200, await decline(ctx, path.purchase_intent_id))
      checkPageForms(ctx, body)
      const typedCode = await takeTypedCode(ctx, path.purchase_intent_id, body)
      const loaded = await lockForRelease(ctx, path.purchase_intent_id)
      const refusal = approvalRefusal(loaded.intent, {
        tenant: ctx.tenant,
        livePayments: ctx.settings.livePayments,
      })
      if (refusal === 'not_approvable') throw notApprovable(loaded)
      if (refusal) throw new Problem(refusal)
      // guard approved-with-an-address: a purchase without an address to ship to is not approved
      if (loaded.intent.ship_to === 'awaited') await freezeAddress(ctx, loaded)
      await checkShownTerms(ctx, loaded)
      const terms = termsToApprove(loaded.intent)
      const shown = { ...body, typedCode, proof: await useProofs(ctx, proofs, { loaded, terms, body }) }
      const retried = retriedBy(loaded)
      const selling = readSellers(ctx, loaded.intent.items)
      const finding = Promise.all([selling, findPayer(ctx, loaded, body)])
      const judged = finding.then(([sold, { profile, method }]) => {
        // guard approval-for-an-active-profile: nothing is released for an archived profile
        if (profile?.status !== 'active') throw new Problem('profile_not_active')
        // guard same-merchant-at-approve: an approval does not move a purchase to another merchant
        if (isSoldByOthers(loaded, sold, retried)) throw new Problem('merchant_changed')
        checkVouchedCard(ctx, method)
        return { method, buyer: buyerToApprove(loaded.intent, profile) }
      })
      if (isGuess(body)) {
        // A guess is checked before anything is held, because a wrong guess is committed, and nothing else with it.
        const refused = guess(ctx, (await judged).method, { loaded, shown })
        if (refused) return refused
      }
      const named = body.profile_payment_method_id ?? loaded.intent.payment_method_id
      const paidBy = payerOf(named, async () => (await judged).method)
      const [{ method, buyer }, held] = await Promise.all([
        judged,
        hold(ctx, loaded, { terms, retried, paidBy, isByPerson: releasedByPerson(ctx, shown.proof, judged) }),
      ])
      const proof = verifyMethod(ctx, method, { loaded, shown })
      // guard approval-is-held: an approval beyond a limit is refused
      if (!held.ok) throw refusedByPolicy(held.refusal)
      const again = retried && retryCarts(ctx, retried, held.value, { isAnew: true })
      const cap =
        again?.intent.max_allowed_amount ?? min(terms.cap, held.value.cap + loaded.intent.settled_amount)
      // guard cap-that-was-seen: a person approves the cap that they saw and no other
      if (body.max_allowed_amount !== undefined && BigInt(body.max_allowed_amount) !== cap) {
        throw new Problem('approval_stale', {
          param: 'max_allowed_amount',
          extra: { max_allowed_amount: toWire(cap) },
        })
      }
      // A proposed price is approved as a whole: at a lower cap the cart could not be bought at that price.
      // guard new-price-as-a-whole: a price that was proposed is not approved at less than it costs
      if (terms.reapproval && cap < terms.cap)
        throw refusedByPolicy({ code: 'policy_limit_exceeded', verdict: held.value })
      const how = { method, buyer, terms, cap, proof }
      return reply(200, approved(ctx, loaded, { ...how, again }))
    },
  })
}

/** A purchase that waits for an address is approved with the address that its profile has by now, and not without one. */
async function freezeAddress(ctx: CallContext, loaded: LoadedIntent): Promise<void> {
  const { intent } = loaded
  const given = await findAddress(ctx, intent)
  if (!given) throw new Problem('shipping_address_required', { extra: { next_action: intent.next_action } })
  loaded.intent = { ...intent, ...given }
}

async function decline(ctx: CallContext, intentId: string): Promise<PurchaseIntent> {
  const loaded = await lockIntentWithCarts(ctx, intentId)
  if (!loaded) throw new Problem('not_found', { param: 'purchase_intent_id' })
  // guard declined-once: only a purchase that awaits an approval is declined
  // guard declined-in-time: a purchase that nobody answers in time ends as expired, not as declined by a person
  if (loaded.intent.status !== 'awaiting_approval' || loaded.intent.is_approval_over)
    throw notApprovable(loaded)
  return refuseApproval(ctx, loaded, null)
}

function notApprovable({ intent }: LoadedIntent): Problem {
  return new Problem('not_approvable', { message: whyNotApprovable(intent) })
}

type Payer<Method> = { profile: BuyerFacts | null; method: Method }

async function findPayer(
  ctx: CallContext,
  { intent }: LoadedIntent,
  body: PurchaseIntentApprove,
): Promise<Payer<PayingMethod | LockedMethod>> {
  const given = body.profile_payment_method_id
  const named = { profileId: intent.profile_id, id: given ?? intent.payment_method_id }
  const { profile, method } = await (isGuess(body) ? lockPayer(ctx, named) : readPayer(ctx, named))
  if (method) return { profile, method }
  if (given !== undefined) throw new Problem('not_found', { param: 'profile_payment_method_id' })
  throw new Problem('payment_method_required', { extra: { next_action: intent.next_action } })
}

/** A proof that is tried at the card itself, and counted where it is wrong. */
function isGuess({ payment_verification }: PurchaseIntentApprove): boolean {
  return payment_verification !== undefined && !isPassedOn(payment_verification.assertion)
}

type NamedPayer = { profileId: string; id: string | null }

async function readPayer(
  { tx, tenant }: CallContext,
  named: NamedPayer,
): Promise<Payer<PayingMethod | null>> {
  const { accountId: account_id, mode } = tenant
  const ofPayer = { account_id, mode, profile_id: named.profileId, payment_method_id: named.id }
  const { profiles, methods } = selectPayer.read(await tx.rows(selectPayer(ofPayer)))
  return { profile: profiles[0] ?? null, method: methods[0] ?? null }
}

/** With a proof the method is locked: guesses are counted one after the other. */
async function lockPayer(ctx: CallContext, named: NamedPayer): Promise<Payer<LockedMethod | null>> {
  const [profile, method] = await Promise.all([
    readProfile(ctx.tx, ctx.tenant, named.profileId),
    lockPayingMethod(ctx, named),
  ])
  return { profile, method }
}

type Asked = { readonly loaded: LoadedIntent; readonly shown: Shown }

/** A new price is not a new payment: the card that was verified for the purchase is not verified again. */
function isAsked({ component }: CallContext, method: PayingMethod, { intent }: LoadedIntent): boolean {
  // guard page-asks-each-time: on a page a new price is approved with a proof of its own, since nobody else vouches for who approves
  return component !== null || !(intent.reapproval && method.id === intent.payment_method_id)
}

/** The refusal of a wrong proof. It is returned and not thrown, because the guess must be counted. */
function guess(
  ctx: CallContext,
  method: PayingMethod | LockedMethod,
  { loaded, shown }: Asked,
): Problem | null {
  if (!('tryStepUp' in method) || !isAsked(ctx, method, loaded)) return null
  const needed = method.tryStepUp(proofOnPage(ctx, method, verificationIn(method, shown)))
  return needed && new Problem('payment_verification_required', { extra: { next_action: needed } })
}

/** What has proven that the card is its holder's; null: it was proven before. */
function verifyMethod(ctx: CallContext, method: PayingMethod, { loaded, shown }: Asked): StepUp | null {
  if (!isAsked(ctx, method, loaded)) return null
  if (ctx.component !== null && shown.typedCode !== null) requireCheckedCode(ctx)
  const given = proofOnPage(ctx, method, verificationIn(method, shown))
  const checked = checkVerification(method, given)
  // guard card-is-verified: a card that needs its holder is not released without them
  if (!checked.ok)
    throw new Problem('payment_verification_required', { extra: { next_action: checked.refusal } })
  return stepUpOf(method, given.agentic_credentials_preference)
}

/** The body, and what is behind the tokens in it. */
type Shown = PurchaseIntentApprove & { typedCode: CodeFacts | null; proof: Proven | null }

function verificationIn(method: PayingMethod, shown: Shown): VerificationInput {
  const { temporary_cvc_token_id, agentic_credentials_preference, payment_verification, typedCode, proof } =
    shown
  return {
    ...(temporary_cvc_token_id === undefined ? {} : { temporary_cvc_token_id }),
    ...(agentic_credentials_preference === undefined ? {} : { agentic_credentials_preference }),
    ...(payment_verification === undefined || isPassedOn(payment_verification.assertion)
      ? {}
      : { payment_verification }),
    ...(typedCode === null ? {} : { typedCode }),
    // guard proof-of-the-card: what was proven of one card proves nothing of another
    ...(proof?.paymentMethodId === method.id ? { provenBy: proof.method } : {}),
  }
}

type Holding = {
  terms: ApprovalTerms
  retried: Retried | null
  paidBy: Promise<string>
  isByPerson: boolean | Promise<boolean>
}

/** Amounts that were settled before a retry are spent already; only the rest is held. */
async function hold(
  ctx: CallContext,
  { intent, carts }: LoadedIntent & { intent: LockedIntentRow },
  { terms, retried, ...how }: Holding,
) {
  // guard held-by-the-card-that-pays: an approval for another card is held under the policies of that card
  const [paidBy, isByPerson] = [await how.paidBy, await how.isByPerson]
  if (retried) {
    // guard approved-for-who-asked: an approval does nothing for a key that the key may not do
    const request = retryRequestOf(retried, { actingAgentId: intent.retry_agent_id, paidBy })
    const tolerancePercent = await accountTolerance(ctx)
    return exchangeReservation(ctx, { ...request, tolerancePercent, countsAgain: true, isByPerson })
  }
  const bought = intent.settled_amount > 0n ? carts.filter(({ status }) => status === 'succeeded') : []
  const expected = terms.expected - bought.reduce((sum, cart) => sum + cart.expected_amount, 0n)
  const request = {
    ...holdRequestOf(intent, { expected, cap: terms.cap - intent.settled_amount, paidBy }),
    isByPerson,
  }
  return terms.reapproval ? exchangeReservation(ctx, request) : reserve(ctx, request)
}

type Approval = {
  method: PayingMethod
  buyer: IntentBuyer
  terms: ApprovalTerms
  cap: bigint
  proof: StepUp | null
  again: ReturnType<typeof retryCarts> | null
}

function approved(ctx: CallContext, loaded: LoadedIntent, how: Approval): PurchaseIntent {
  const { reapproval } = how.terms
  // Where carts exist, they become due; otherwise the intent is due until execution has made them.
  const hasBegun = loaded.carts.length > 0
  ctx.tx.wake(hasBegun ? 'carts' : 'intents')
  const unitOf = new Map(reapproval?.units.map(({ item_id, unit_amount }) => [item_id, unit_amount]))
  const cart = loaded.carts.find(({ id }) => id === reapproval?.cart_id)
  return changeIntent(ctx, loaded, {
    intent: {
      ...how.again?.intent,
      status: 'approved',
      payment_method_id: how.method.id,
      buyer: how.buyer,
      expected_amount: how.terms.expected,
      tax_allowance: how.terms.tax,
      max_allowed_amount: how.cap,
      approved_by: approverIn(ctx),
      approved_at: ctx.now,
      ...(how.proof === null
        ? {}
        : {
            payment_verified_at: ctx.now,
            payment_proof:
              how.proof === 'none' ? null : { kind: how.proof, payment_method_id: how.method.id },
          }),
      next_action: null,
      reapproval: null,
      due_at: hasBegun ? null : beginsAt(loaded.intent, ctx.now),
    },
    carts:
      how.again?.carts ??
      (cart && reapproval
        ? [
            {
              id: cart.id,
              changes: {
                expected_amount: BigInt(reapproval.cart_expected_amount),
                max_allowed_amount: BigInt(reapproval.cart_max_allowed_amount),
                tax_allowance: BigInt(reapproval.cart_tax_allowance),
                items: cart.items.map((item) => ({
                  ...item,
                  expected_amount: unitOf.get(item.id) ?? item.expected_amount,
                })),
                due_at: ctx.now,
              },
            },
          ]
        : []),
    events: [{ type: 'purchase_intent.approved' }],
  })
}
