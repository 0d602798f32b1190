import { agentOf } from '../../../../contract/actor.ts'
import type { CallContext } from '../../../../contract/context.ts'
import { exampleId } from '../../../../contract/examples.ts'
import { defineOperation, reply } from '../../../../contract/operation.ts'
import { Problem } from '../../../../contract/problem.ts'
import type { Id } from '../../../../core/id.ts'
import { isKeyLive } from '../../../accounts/api-keys/public.ts'
import { isFrozen, lockControlForShare } from '../../../accounts/controls/public.ts'
import { admitAsDecided, admitPurchase, type PolicyVerdict } from '../../../policies/public.ts'
import { readIntentWithCarts } from '../change-intent.ts'
import { byPolicy, type IntentItem, type IntentRow, PurchaseIntent, shipToOf } from '../intent.ts'
import { frozenBuyer } from '../intent-buyer.ts'
import { insertIntent } from '../intents.sql.ts'
import { shopOf } from '../read/purchase-facts.ts'
import { renderIntent } from '../read/render-intent.ts'
import { type CreateFacts, readCreateFacts } from './create-facts.ts'
import { createProblems, PurchaseIntentCreate, readRequest, twoMugs } from './create-request.ts'
import { basisPoints, capOf, decideCreate } from './decide-create.ts'
import { beginsAt, checkExecution } from './execution-method.ts'
import { checkRequests, type ItemRequest, storedRequest } from './item-request.ts'
import { type PurchasePlan, planPurchase } from './plan-purchase.ts'
import { promoCodeOf } from './promo-code.ts'
import { exactTerms, lockQuoteForPurchase, readQuoted, takeQuote } from './quoted.ts'
import type { Quoted } from './quoted-terms.ts'

export const createPurchaseIntent = defineOperation({
  id: 'v1_create_purchase_intent',
  method: 'POST',
  path: '/v1/purchase_intents',
  auth: 'secret',
  scope: 'purchase_intents:write',
  forBound: 'served',
  tag: 'Purchase intents',
  summary: 'Create a purchase intent',
  description:
    'Use it to buy items from one or more shops for a profile. Policies decide at once: `status` is `queued` (it is bought ' +
    'without asking anybody), `awaiting_approval` (a person must act first: see `next_action`) or `declined` (nothing is ' +
    'bought). Never more than `max_allowed_amount` is charged in all. Next, follow it with v1_get_purchase_intent until ' +
    '`status` is succeeded, failed, cancelled or declined. The same `idempotency_key` never buys twice: it answers with ' +
    'the purchase as it is now. After a failure, retry the purchase with v1_retry_purchase_intent instead of creating ' +
    'another.',
  body: PurchaseIntentCreate,
  examples: {
    two_mugs: {
      summary: 'Buy two mugs for $19.99 each',
      body: {
        profile_id: exampleId('prof'),
        items: [twoMugs],
        preferences: { fulfillment: { method: 'ship', max_fee_amount: 800 } },
        reference_id: 'cart-1001',
      },
    },
    two_shops: {
      summary: 'Buy from two shops with a limit of $60.00 in all',
      body: {
        profile_id: exampleId('prof'),
        profile_payment_method_id: exampleId('pm'),
        max_amount: 6000,
        items: [
          { ...twoMugs, quantity: 1 },
          {
            url: 'https://tea.example.com/products/earl-grey',
            quantity: 3,
            expected_amount: 650,
            expected_currency: 'USD',
          },
        ],
      },
    },
  },
  responses: { 201: PurchaseIntent, 200: PurchaseIntent },
  answers: {
    201: 'Created.',
    200: 'The idempotency key was used before: the purchase intent it made, as it is now.',
  },
  problems: createProblems,
  replay: 'current',
  conflicts: { purchase_intents_lifelong_key: 'idempotency_key_conflict' },
  async handle(ctx, { body }) {
    checkExecution(ctx, body.execution_method)
    checkRequests(body.items)
    const quoted = await readQuoted(ctx, body)
    return reply(201, await createIntent(ctx, { body, quoted, idempotencyKey: ctx.idempotencyKey }))
  },
  async current(ctx, intentId) {
    const loaded = await readIntentWithCarts(ctx, intentId)
    if (!loaded) throw new Problem('not_found')
    return reply(200, renderIntent(loaded.intent, loaded.carts, ctx.tenant))
  },
})

/** Makes the purchase that a request describes, at the price of a quote or at the expected cost of its items. */
export async function createIntent(
  ctx: CallContext,
  asked: { body: PurchaseIntentCreate; quoted: Quoted | null; idempotencyKey: string | null },
): Promise<PurchaseIntent> {
  const { body, quoted } = asked
  const requested = readRequest(body, quoted)
  const facts = await readCreateFacts(ctx, body)
  const plan = planPurchase(ctx, { body, requested }, facts)
  const id = ctx.newId('pi')
  const held = quoted && (await lockQuoteForPurchase(ctx, quoted))
  const isCounted = plan.verdict.result !== 'deny' && plan.verdict.judged.length > 0
  const verdict = isCounted
    ? exactTerms(await admit(ctx, { id, plan, facts, policyId: body.policy_id ?? null }), quoted, ctx.now)
    : plan.verdict
  const row = newIntent(ctx, { id, plan, verdict, facts, ...asked })
  const intent = renderIntent(row, [], ctx.tenant)
  if (quoted && held) takeQuote(ctx, held, quoted, row)
  ctx.tx.write(insertIntent({ ...row, account_id: ctx.tenant.accountId, mode: ctx.tenant.mode }))
  ctx.tx.emit({ type: 'purchase_intent.created', aggregateId: id, sequence: 1, object: intent })
  ctx.tx.emit({ type: `purchase_intent.${row.status}`, aggregateId: id, sequence: 2, object: intent })
  if (row.due_at === ctx.now) ctx.tx.wake('intents')
  return intent
}

/**
 * Counts the intent, and reserves its cap when it is bought unattended: by the plan, while nothing that the plan is based on has changed;
 * otherwise it decides again under the policies' locks.
 */
async function admit(
  ctx: CallContext,
  made: { id: Id<'pi'>; plan: PurchasePlan; facts: CreateFacts; policyId: string | null },
): Promise<PolicyVerdict> {
  const { plan, facts } = made
  const agent = agentOf(ctx.actor)
  const request = {
    intentId: made.id,
    profileId: facts.profile.id,
    agentId: agent,
    policyId: made.policyId,
    paymentMethodId: facts.method?.id ?? null,
    purchase: { ...plan.decision.purchase, cap: plan.cap },
    tolerancePercent: facts.settings.tolerancePercent,
  }
  const admitted =
    ctx.attempt === 1
      ? admitAsDecided(ctx, { ...request, keyId: ctx.keyId, policies: facts.policies, verdict: plan.verdict })
      : null
  if (admitted) return admitted
  const [control, isLive, verdict] = await Promise.all([
    lockControlForShare(ctx),
    isKeyLive(ctx, { keyId: ctx.keyId, agentId: agent }),
    admitPurchase(ctx, { ...request, stepUp: plan.attention.kind !== 'none' }),
  ])
  // guard revoked-key-buys-nothing: a key that was revoked after it was looked up buys nothing unattended
  if (!isLive) throw new Problem('unauthorized')
  // guard frozen-buys-nothing-unattended: a purchase that a policy allows is refused while frozen
  if (control && isFrozen(control, { profileId: facts.profile.id, agentId: agent }))
    throw new Problem('frozen')
  return verdict
}

/** The columns that a purchase gets later, from its carts and from people. */
const notBegun = {
  actual_amount: 0n,
  settled_amount: 0n,
  payment_verified_at: null,
  payment_proof: null,
  failure: null,
  partial: false,
  cancel_reason: null,
  offer_summary: null,
  reapproval: null,
  retry: null,
  lease_until: null,
  lease_token: 0n,
  started_at: null,
} as const satisfies Partial<IntentRow>

function newIntent(
  ctx: CallContext,
  made: {
    id: Id<'pi'>
    plan: PurchasePlan
    verdict: PolicyVerdict
    facts: CreateFacts
    body: PurchaseIntentCreate
    idempotencyKey: string | null
  },
): IntentRow {
  const { id, plan, verdict, facts, body } = made
  const { status, nextAction, approvalExpiresAt } = decideCreate(verdict, plan.attention, {
    now: ctx.now,
    policiesAllow: plan.policiesAllow,
  })
  const isQueued = status === 'queued'
  const shipTo = shipToOf(plan.fulfillment)
  // If an address arrives while this is written, the work that looks at the purchase right after finds it.
  const isLookedAt = status === 'awaiting_approval' && shipTo === 'awaited'
  const bought = boughtBy(body, facts)
  const merchants = [...new Set(plan.items.map(shopOf))]
  const narrowed = capOf(
    { expected: plan.expected, callerMax: plan.callerMax, tax: plan.allowances.tax },
    verdict,
  )
  return {
    ...notBegun,
    id,
    profile_id: facts.profile.id,
    api_key_id: ctx.keyId,
    agent_id: agentOf(ctx.actor),
    payment_method_id: facts.method?.id ?? null,
    // The statement that read the policy found it in this account and mode.
    policy_id: facts.policies.find((policy) => policy.named)?.id ?? null,
    status,
    currency: plan.currency,
    expected_amount: plan.expected,
    max_allowed_amount: narrowed === null || narrowed > plan.cap ? plan.cap : narrowed,
    caller_max_amount: plan.callerMax,
    fee_allowance: verdict.feeAllowance,
    tax_allowance: plan.allowances.tax,
    tolerance_basis_points: basisPoints(verdict.tolerancePercent),
    on_price_exceed: verdict.onExceed,
    items: plan.items.map((item, index) => withRequest(ctx, item, body.items[index]?.request)),
    fulfillment: plan.fulfillment,
    policy_decision: { result: verdict.result, evaluated: verdict.evaluated },
    policy_result: verdict.result,
    approval_required: status === 'awaiting_approval',
    approved_by: isQueued ? byPolicy : null,
    approved_at: isQueued ? ctx.now : null,
    buyer: isQueued ? frozenBuyer(facts.profile, plan.fulfillment) : null,
    approval_expires_at: approvalExpiresAt,
    next_action: nextAction,
    ship_to: shipTo,
    reference_id: body.reference_id ?? null,
    metadata: body.metadata ?? {},
    idempotency_key: made.idempotencyKey,
    actor_type: ctx.actor.type,
    actor_id: ctx.actor.id,
    merchants,
    search: [id, facts.profile.id, body.reference_id ?? '', ...merchants].join(' ').toLowerCase(),
    seq: 2,
    due_at: isLookedAt ? ctx.now : isQueued ? beginsAt(bought, ctx.now) : approvalExpiresAt,
    ...bought,
    created_at: ctx.now,
    updated_at: ctx.now,
    completed_at: status === 'declined' ? ctx.now : null,
  }
}

function boughtBy(
  { execution_method, preferences }: PurchaseIntentCreate,
  { keptAnswers }: Pick<CreateFacts, 'keptAnswers'>,
) {
  return {
    pays_by_token: execution_method === 'payment_token',
    promo_code: promoCodeOf(preferences),
    kept_answers: keptAnswers.length === 0 ? null : keptAnswers,
  }
}

function withRequest(
  { sealer }: CallContext,
  item: IntentItem,
  request: ItemRequest | undefined,
): IntentItem {
  return request === undefined ? item : { ...item, request: storedRequest(sealer, item.id, request) }
}
