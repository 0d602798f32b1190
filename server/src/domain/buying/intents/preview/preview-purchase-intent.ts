import Type, { type Static } from 'typebox'
import type { CallContext } from '../../../../contract/context.ts'
import { exampleId } from '../../../../contract/examples.ts'
import { defineOperation, type Reply, reply } from '../../../../contract/operation.ts'
import { Closed, Described, IdOf, ModeSchema, Named, Nullable } from '../../../../contract/schemas.ts'
import { toWire } from '../../../../core/money.ts'
import { PolicyDecision } from '../../../policies/public.ts'
import { readItemsAt } from '../../../selling/catalog/public.ts'
import { readQuotedListing } from '../../../selling/pricing/public.ts'
import { awaitLooks, lookRetrySeconds, readSites, startLooks, type VisibleSite } from '../../looks/public.ts'
import { Offer } from '../cart.ts'
import { type CreateFacts, readCreateFacts } from '../create/create-facts.ts'
import { createProblems, PurchaseIntentCreate, readRequest, twoMugs } from '../create/create-request.ts'
import { decideCreate } from '../create/decide-create.ts'
import { checkExecution, ExecutionMethod } from '../create/execution-method.ts'
import { checkRequests } from '../create/item-request.ts'
import { type PurchasePlan, planPurchase } from '../create/plan-purchase.ts'
import { promoCodeOf } from '../create/promo-code.ts'
import { readQuoted } from '../create/quoted.ts'
import { NextAction } from '../decide/next-action.ts'
import { expectedPrice, PurchaseIntentStatus } from '../intent.ts'
import { type PreviewCart, previewCarts, quotedCart } from './preview-carts.ts'
import { type CartLooks, findCartLooks, looksByCart } from './preview-looks.ts'
import { feeAllowancesOf, previewMerchants, sumOffers } from './preview-merchants.ts'
import { PreviewMerchant } from './preview-shape.ts'

const PurchaseIntentPreview = Named(
  'PurchaseIntentPreview',
  Closed(
    {
      object: Type.Literal('purchase_intent_preview', { description: 'The type of this object.' }),
      mode: ModeSchema,
      profile_id: IdOf('prof', 'The profile it would be bought for.'),
      profile_payment_method_id: Nullable(IdOf('pm', 'What would be charged; null if there is none.')),
      status: Described(PurchaseIntentStatus, 'The status the purchase would start in.'),
      ...expectedPrice,
      max_allowed_amount: Type.Integer({
        description:
          'The most that could be charged in all, with fulfillment and tax, in minor units (1999 is $19.99).',
      }),
      execution_method: Described(ExecutionMethod, 'What would begin the purchase.'),
      policy_decision: Described(PolicyDecision, 'What policies would decide, rule by rule.'),
      next_action: Nullable(Described(NextAction, 'What a person would have to do first; null if nothing.')),
      offer: Nullable(
        Described(Offer, 'What is known of the prices of all shops together; null if nothing is.'),
      ),
      merchants: Type.Array(PreviewMerchant, {
        description: 'The shops, one for each cart there would be.',
      }),
    },
    { description: 'What would become of a purchase.' },
  ),
)

export const previewPurchaseIntent = defineOperation({
  id: 'v1_preview_purchase_intent',
  method: 'POST',
  path: '/v1/purchase_intents/preview',
  auth: 'secret',
  scope: 'purchase_intents:read',
  forBound: 'served',
  tag: 'Purchase intents',
  summary: 'Preview a purchase intent',
  description:
    'Takes the fields of v1_create_purchase_intent and shows the status the purchase would start in, what policies say, ' +
    'which shops can be bought from, and what is known of the price. Nothing is bought. Shops elsewhere are looked at, ' +
    'for up to 25 seconds, without a card or a name. If a shop is still `looking`, preview the same again a little later.',
  readOnly: true,
  body: PurchaseIntentCreate,
  examples: {
    two_mugs: {
      summary: 'See what buying two mugs would take',
      body: {
        profile_id: exampleId('prof'),
        items: [twoMugs],
      },
    },
  },
  responses: { 200: PurchaseIntentPreview, 202: PurchaseIntentPreview },
  answers: {
    202: 'A shop has not answered within 25 seconds: it is still `looking`. Preview the same again after `Retry-After` seconds.',
  },
  replyHeaders: { 202: ['Retry-After'] },
  problems: createProblems,
  async handle(ctx, { body }) {
    checkExecution(ctx, body.execution_method)
    checkRequests(body.items)
    const quoted = await readQuoted(ctx, body)
    const requested = readRequest(body, quoted)
    const promoCode = promoCodeOf(body.preferences)
    const urls = body.items.map(({ url }) => url)
    const [facts, catalog, listing, sites] = await Promise.all([
      readCreateFacts(ctx, body),
      quoted ? [] : readItemsAt(ctx.reads, ctx.tenant.mode, urls),
      quoted && readQuotedListing(ctx.reads, quoted.quote),
      quoted ? noSites : readSites(ctx.reads, ctx.tenant.mode, urls.map(hostOf)),
    ])
    const plan = planPurchase(ctx, { body, requested }, facts)
    const carts = quoted
      ? [quotedCart(plan, quoted, listing)]
      : await previewCarts(ctx, plan, { facts, catalog, sites, promoCode })
    const feeAllowances = feeAllowancesOf(plan, carts)
    const looks = await findCartLooks(ctx, plan, { carts, feeAllowances })
    await startLooks(ctx, [...looks.values()])
    const shown = (seen: CartLooks) =>
      render(ctx, { body, facts, plan, carts, feeAllowances, promoCode, looks: seen })
    const first = answered(shown(looks))
    if (first.status === 200) return first
    const settle = async () =>
      answered(shown(looksByCart(looks.keys(), await awaitLooks(ctx, [...looks.values()]))))
    return { ...first, settle }
  },
})

const noSites: ReadonlyMap<string, VisibleSite> = new Map()

function hostOf(url: string): string {
  return new URL(url).host
}

export type Preview = Static<typeof PurchaseIntentPreview>

function answered(preview: Preview): Reply<200, Preview> | Reply<202, Preview> {
  if (!preview.merchants.some(({ looking }) => looking)) return reply(200, preview)
  return reply(202, preview, { headers: { 'retry-after': String(lookRetrySeconds) } })
}

type Previewed = {
  readonly body: PurchaseIntentCreate
  readonly facts: CreateFacts
  readonly plan: PurchasePlan
  readonly carts: readonly PreviewCart[]
  readonly feeAllowances: readonly bigint[]
  readonly promoCode: string | null
  readonly looks: CartLooks
}

function render(
  { tenant: { mode }, now }: Pick<CallContext, 'tenant' | 'now'>,
  { body, facts, plan, carts, ...seen }: Previewed,
): Preview {
  const { status, nextAction } = decideCreate(plan.verdict, plan.attention, {
    now,
    policiesAllow: plan.policiesAllow,
  })
  const merchants = previewMerchants(plan, carts, { mode, now, ...seen })
  return {
    object: 'purchase_intent_preview',
    mode,
    profile_id: facts.profile.id,
    profile_payment_method_id: facts.method?.id ?? null,
    status,
    currency_code: plan.currency,
    expected_amount: toWire(plan.expected),
    max_allowed_amount: toWire(plan.cap),
    execution_method: body.execution_method ?? 'automatic',
    policy_decision: { result: plan.verdict.result, evaluated: plan.verdict.evaluated },
    next_action: nextAction,
    offer: sumOffers(merchants.map(({ offer }) => offer)),
    merchants,
  }
}
