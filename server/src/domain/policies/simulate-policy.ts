import Type, { type Static } from 'typebox'
import { agentOf } from '../../contract/actor.ts'
import type { CallContext } from '../../contract/context.ts'
import { exampleId } from '../../contract/examples.ts'
import { defineOperation, reply } from '../../contract/operation.ts'
import { instantOf } from '../../contract/page.ts'
import { invalid, Problem } from '../../contract/problem.ts'
import {
  Amount,
  At,
  Closed,
  CountryCode,
  CurrencyCode,
  Described,
  IdParam,
  ModeSchema,
  Named,
  Nullable,
  OneOf,
} from '../../contract/schemas.ts'
import type { Id } from '../../core/id.ts'
import { toWire } from '../../core/money.ts'
import { Slices } from '../../platform/calls/slices.ts'
import { normalizeCurrency } from '../../schema/formats.ts'
import { exactlyOne, given, Ruled, whenThen } from '../../schema/rules.ts'
import { readPayingMethod } from '../buyers/payment-methods/public.ts'
import { selectAccountSettings } from './account-settings.sql.ts'
import { accountSettings } from './account-settings.ts'
import { decidePurchase, type PolicyVerdict } from './decide-purchase.ts'
import { selectApplicablePolicies, selectKnownIds } from './policies.sql.ts'
import {
  type ApplicablePolicy,
  PolicyFields,
  type PolicyRow,
  type PolicyWritten,
  policyRules,
} from './policy.ts'
import { PolicyDecision } from './policy-decision.ts'
import type { PastIntentReads } from './port.ts'
import type { Purchase } from './purchase.ts'
import { IntentReplay, type Replayed, scopeMatches } from './replay-intents.ts'
import { agentMeant, agentsOf, newPolicy, withZone } from './write-policy.ts'

const pastDefault = 200
const pastMax = 1000
/** How many intents are read and replayed together: with a hundred items each, they take a few milliseconds. */
const pageOfIntents = 20

const rules = {
  either: 'send either purchase_intent or past',
  draft: 'past needs policy: a draft to apply to the past intents',
}

const Draft = Ruled(
  Closed(
    { ...PolicyFields, name: Type.Optional(Described(PolicyFields.name, 'A name for the draft.')) },
    { description: 'A policy that does not exist, as it would be created.' },
  ),
  policyRules,
)

const Hypothetical = Closed(
  {
    profile_id: IdParam('The profile to buy for.', 'prof'),
    api_key_id: Type.Optional(
      IdParam('The agent that buys, or one of its keys. Default: the calling one.', 'agent'),
    ),
    profile_payment_method_id: Type.Optional(
      IdParam("What is charged. Default: the profile's default payment method.", 'pm'),
    ),
    policy_id: Type.Optional(IdParam('A policy that the purchase names.', 'pol')),
    currency_code: Described(CurrencyCode, 'ISO 4217 code of all amounts, such as USD.'),
    expected_amount: Amount(
      'What all items cost together, before tax and fulfillment, in minor units (1999 is $19.99).',
    ),
    max_amount: Type.Optional(
      Amount(
        'The most that may be charged in all, in minor units (1999 is $19.99). Default: the expected amount.',
      ),
    ),
    max_fee_amount: Type.Optional(
      Amount('The most that fulfillment may cost in all, in minor units (1999 is $19.99).'),
    ),
    merchants: Type.Optional(
      Type.Array(
        Closed({
          domain: Type.String({ format: 'domain', description: 'Domain of the merchant.' }),
          mcc: Type.Optional(
            Nullable(
              Type.String({
                format: 'mcc',
                description: 'Merchant category code, 4 digits; leave it out if it is unknown.',
              }),
            ),
          ),
          country: Type.Optional(
            Nullable(Described(CountryCode, 'Country of the merchant; leave it out if it is unknown.')),
          ),
        }),
        { minItems: 1, maxItems: 100, description: 'The merchants to buy from.' },
      ),
    ),
    shipping_country: Type.Optional(Nullable(Described(CountryCode, 'Country the goods go to.'))),
  },
  {
    description: 'One intent that is not made, under the policies that apply, and the draft if there is one.',
  },
)
type Hypothetical = Static<typeof Hypothetical>

const Past = Closed(
  {
    created_after: Type.Optional(At('Only purchases created after this moment.')),
    created_before: Type.Optional(At('Only purchases created before this moment.')),
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: pastMax,
        default: pastDefault,
        description: 'The most purchases to look at.',
      }),
    ),
  },
  { description: 'The newest intents of a period, to which the draft alone is applied, oldest first.' },
)
type Past = Static<typeof Past>

const PolicySimulation = Named(
  'PolicySimulation',
  Closed(
    {
      object: Type.Literal('policy_simulation', { description: 'The type of this object.' }),
      mode: ModeSchema,
      draft_policy_id: Nullable(
        Type.String({ description: 'The id that the draft has in the decisions; null without a draft.' }),
      ),
      purchase_intent: Nullable(
        Closed(
          {
            policy_decision: Described(PolicyDecision, 'The decision, rule by rule.'),
            max_allowed_amount: Amount(
              'The most that could be charged in all, in minor units (1999 is $19.99).',
            ),
            max_fee_amount: Amount(
              'The most that fulfillment could cost in all, in minor units (1999 is $19.99).',
            ),
            price_drift: Closed(
              {
                tolerance_percent: Type.Number({ description: 'How many percent the price could rise.' }),
                on_exceed: OneOf(['reapprove', 'fail'], {
                  description: 'Above the tolerance: ask a person again (`reapprove`) or fail.',
                }),
              },
              { description: 'What would happen if the price rose.' },
            ),
            approval_expires_after_minutes: Type.Integer({
              description: 'How long it would wait for approval.',
            }),
          },
          { description: 'What policies decide about the purchase; null if none was described.' },
        ),
      ),
      past: Nullable(
        Closed(
          {
            allow: Type.Integer({ description: 'How many purchases it would have allowed.' }),
            require_approval: Type.Integer({
              description: 'How many purchases a person would have had to approve.',
            }),
            deny: Type.Integer({ description: 'How many purchases it would have denied.' }),
            data: Type.Array(
              Closed({
                purchase_intent_id: Type.String({ description: 'The purchase.' }),
                created_at: At('When it was created.'),
                status: Type.String({ description: 'The status it has now.' }),
                currency_code: Type.String({ description: 'ISO 4217 code of its amounts.' }),
                expected_amount: Amount(
                  'What all items were expected to cost together, in minor units (1999 is $19.99).',
                ),
                policy_decision: Described(PolicyDecision, 'What the draft would have decided.'),
              }),
              { description: 'The purchases, oldest first.' },
            ),
          },
          { description: 'What the draft would have decided; null if `past` was not asked for.' },
        ),
      ),
    },
    { description: 'What policies would decide.' },
  ),
)
type PolicySimulation = Static<typeof PolicySimulation>

export function simulatePolicy(pastIntents: PastIntentReads) {
  return defineOperation({
    id: 'v1_simulate_policy',
    method: 'POST',
    path: '/v1/policies/simulate',
    auth: 'secret',
    scope: 'policies:read',
    forBound: 'served',
    tag: 'Policies',
    summary: 'Simulate a policy decision',
    description:
      'Shows what policies would decide about one `purchase_intent`, or what a draft `policy` would have decided about `past` ones. ' +
      'Nothing is stored or bought.',
    readOnly: true,
    body: Ruled(
      Closed({
        policy: Type.Optional(Described(Draft, 'A draft policy, with the fields of v1_create_policy.')),
        purchase_intent: Type.Optional(
          Described(
            Hypothetical,
            'One purchase, decided by the policies that apply and by the draft if there is one.',
          ),
        ),
        past: Type.Optional(
          Described(Past, 'Which past purchases the draft alone is applied to: the newest of a period.'),
        ),
      }),
      rules,
      [
        exactlyOne({ purchase_intent: 'object', past: 'object' }),
        whenThen(given('past', 'object'), given('policy', 'object')),
      ],
    ),
    examples: {
      one_purchase: {
        summary: 'Ask what policies decide about one purchase',
        body: {
          purchase_intent: {
            profile_id: exampleId('prof'),
            currency_code: 'USD',
            expected_amount: 3998,
            merchants: [{ domain: 'blue-mugs.example' }],
          },
        },
      },
      draft_over_past: {
        summary: 'Ask what a draft would have decided about past purchases',
        body: {
          policy: { name: 'Draft', currency: 'USD', limits: { per_transaction_max: 5000 } },
          past: { limit: 50 },
        },
      },
    },
    responses: { 200: PolicySimulation },
    problems: ['not_found', 'policy_archived'],
    async handle(ctx, { body }) {
      const { policy, purchase_intent: hypothetical, past } = body
      if (!hypothetical === !past) throw invalid(['body'], rules.either)
      if (past && !policy) throw invalid(['body', 'policy'], rules.draft)
      // Slices keep a simulation from stopping others, but many at once would still be most of the process's computing.
      // guard simulations-at-once: an account has number of simulations under way at once
      if (past) ctx.hold('simulations')
      const draft = policy ? await draftOf(ctx, { ...policy, name: policy.name ?? 'Draft' }) : null
      return reply(200, {
        object: 'policy_simulation' as const,
        mode: ctx.tenant.mode,
        draft_policy_id: draft?.id ?? null,
        purchase_intent: hypothetical ? await simulateOne(ctx, hypothetical, draft) : null,
        past: past && draft ? await simulatePast(ctx, pastIntents, { past, draft }) : null,
      })
    },
  })
}

/** No ids of any kind. */
const nothing = { profile_ids: [], key_ids: [], payment_method_ids: [] }

/** Its scope then names agents, as in a stored policy. */
async function draftOf(ctx: CallContext, written: PolicyWritten & { name: string }): Promise<PolicyRow> {
  const draft = await withZone({ tenant: ctx.tenant, tx: ctx.reads }, newPolicy(ctx, written))
  const agents = await agentsNamed(ctx, draft.scope_agent_ids)
  return { ...draft, scope_agent_ids: agentsOf(draft.scope_agent_ids, agents) }
}

/** The agent that each of the ids means, a key's or an agent's; ids that the tenant does not have are left out. */
async function agentsNamed(ctx: CallContext, ids: string[]): Promise<Record<string, Id<'agent'>>> {
  if (ids.length === 0) return {}
  const { accountId: account_id, mode } = ctx.tenant
  const known = await ctx.reads.maybe(selectKnownIds({ account_id, mode, ...nothing, key_ids: ids }))
  return known?.agents ?? {}
}

async function simulateOne(
  ctx: CallContext,
  asked: Hypothetical,
  draft: PolicyRow | null,
): Promise<PolicySimulation['purchase_intent']> {
  const tenanted = { account_id: ctx.tenant.accountId, mode: ctx.tenant.mode }
  const actingAgent = agentOf(ctx.actor)
  const agents = await agentsNamed(ctx, asked.api_key_id === undefined ? [] : [asked.api_key_id])
  if (asked.api_key_id !== undefined && agentMeant(agents, asked.api_key_id) === undefined) {
    throw new Problem('not_found', { param: 'purchase_intent.api_key_id' })
  }
  const scope = {
    profile_id: asked.profile_id,
    agent_id: agentMeant(agents, asked.api_key_id ?? '') ?? actingAgent,
    policy_id: asked.policy_id ?? null,
    payment_method_id: asked.profile_payment_method_id ?? null,
  }
  const [policies, method, known, settings] = await Promise.all([
    ctx.reads.rows(selectApplicablePolicies({ ...tenanted, ...scope })),
    readPayingMethod(ctx.reads, ctx.tenant, { profileId: asked.profile_id, id: scope.payment_method_id }),
    ctx.reads.maybe(selectKnownIds({ ...tenanted, ...nothing, profile_ids: [asked.profile_id] })),
    ctx.reads.maybe(selectAccountSettings({ account_id: tenanted.account_id })),
  ])
  if (!known?.profile_ids.length) throw new Problem('not_found', { param: 'purchase_intent.profile_id' })
  if (asked.profile_payment_method_id !== undefined && !method)
    throw new Problem('not_found', { param: 'purchase_intent.profile_payment_method_id' })
  requireNamed(policies, scope.policy_id)
  const { profile_id: profileId, agent_id: agentId } = scope
  const of = { profileId, agentId, paymentMethodId: method?.id ?? null }
  const verdict = decidePurchase({
    policies: draft && scopeMatches(draft, of) ? [...policies, attach(draft)] : policies,
    purchase: purchaseOf(asked),
    occasion: 'create',
    tolerancePercent: accountSettings(settings).tolerancePercent,
    stepUp: false,
    now: ctx.now,
  })
  return {
    policy_decision: decisionOf(verdict),
    max_allowed_amount: toWire(verdict.cap),
    max_fee_amount: toWire(verdict.feeAllowance),
    price_drift: { tolerance_percent: verdict.tolerancePercent, on_exceed: verdict.onExceed },
    approval_expires_after_minutes: verdict.approvalExpiresMinutes,
  }
}

async function simulatePast(
  ctx: CallContext,
  pastIntents: PastIntentReads,
  { past, draft }: { past: Past; draft: PolicyRow },
): Promise<PolicySimulation['past']> {
  const [ids, settings] = await Promise.all([
    pastIntents.newest(ctx, {
      profileId: ctx.profileId,
      createdAfter: instantOf(past.created_after),
      createdBefore: instantOf(past.created_before),
      limit: past.limit ?? pastDefault,
    }),
    ctx.reads.maybe(selectAccountSettings({ account_id: ctx.tenant.accountId })),
  ])
  const replay = new IntentReplay(draft, accountSettings(settings).tolerancePercent)
  const slices = new Slices({ cpuMsMax: ctx.settings.limits.simulationCpu })
  const replayed: Replayed[] = []
  for (let from = 0; from < ids.length; from += pageOfIntents) {
    const intents = await pastIntents.page(ctx, ids.slice(from, from + pageOfIntents))
    await slices.each(intents, (intent) => {
      const one = replay.next(intent)
      if (one) replayed.push(one)
    })
  }
  const countOf = (result: PolicyVerdict['result']) =>
    replayed.filter(({ verdict }) => verdict.result === result).length
  return {
    allow: countOf('allow'),
    require_approval: countOf('require_approval'),
    deny: countOf('deny'),
    data: replayed.map(({ intent, verdict }) => ({
      purchase_intent_id: intent.id,
      created_at: intent.created_at.toISOString(),
      status: intent.status,
      currency_code: intent.currency,
      expected_amount: toWire(intent.expected_amount),
      policy_decision: decisionOf(verdict),
    })),
  }
}

function requireNamed(policies: readonly ApplicablePolicy[], policyId: string | null): void {
  if (policyId === null) return
  const named = policies.find((policy) => policy.named)
  if (!named) throw new Problem('not_found', { param: 'purchase_intent.policy_id' })
  if (named.archived_at !== null) throw new Problem('policy_archived', { param: 'purchase_intent.policy_id' })
}

function purchaseOf(asked: Hypothetical): Purchase {
  return {
    currency: normalizeCurrency(asked.currency_code),
    expected: BigInt(asked.expected_amount),
    cap: BigInt(asked.max_amount ?? asked.expected_amount),
    feeAllowance: BigInt(asked.max_fee_amount ?? 0),
    merchants: (asked.merchants ?? []).map(({ domain, mcc, country }) => ({
      domain,
      mcc: mcc ?? null,
      country: country ?? null,
    })),
    shippingCountry: asked.shipping_country ?? null,
  }
}

function attach(draft: PolicyRow): ApplicablePolicy {
  return { ...draft, attached: true, named: false }
}

function decisionOf({ result, evaluated }: PolicyVerdict): PolicyDecision {
  return { result, evaluated }
}
