import Type from 'typebox'
import { exampleId } from '../../../contract/examples.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Closed, Described, IdOf, ModeSchema, Named, Nullable, OneOf } from '../../../contract/schemas.ts'
import { toWire } from '../../../core/money.ts'
import { PolicyDecision } from '../../policies/public.ts'
import { readItemsAt } from '../../selling/catalog/public.ts'
import { readQuotedListing } from '../../selling/pricing/public.ts'
import { Offer } from './cart.ts'
import { channels } from './cart-route.ts'
import { readCreateFacts } from './create-facts.ts'
import { createProblems, PurchaseIntentCreate, readRequest, twoMugs } from './create-request.ts'
import { decideCreate } from './decide-create.ts'
import { ExecutionMethod } from './execution-method.ts'
import { failureCodes } from './failure.ts'
import { expectedPrice, NextAction, PurchaseIntentStatus } from './intent.ts'
import { checkRequests } from './item-request.ts'
import { planPurchase } from './plan-purchase.ts'
import { previewCarts, quotedCart } from './preview-carts.ts'
import { previewMerchants, sumOffers } from './preview-merchants.ts'
import { CartPromo, promoCodeOf } from './promo-code.ts'
import { readQuoted } from './quoted.ts'

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
      merchants: Type.Array(
        Closed({
          domain: Type.String({ description: 'The domain of the shop.' }),
          name: Type.String({ description: 'The name of the shop.' }),
          supported: Type.Boolean({ description: 'Whether it can be bought from.' }),
          channel: Nullable(
            OneOf(channels, { description: 'How it would be bought there; null if there is no way.' }),
          ),
          offer: Nullable(Described(Offer, 'What is known of its price; null if nothing is.')),
          promo_code: Nullable(
            Described(
              CartPromo,
              'What would become of the promotion code there, as far as it is known; null if you name none.',
            ),
          ),
          problems: Type.Array(
            Closed({
              item: Type.Integer({ minimum: 0, description: 'Which item, counted from 0 in the request.' }),
              code: OneOf(failureCodes, { description: 'Why it would fail.' }),
            }),
            { description: 'What would make the cart fail, as far as it is known.' },
          ),
        }),
        { description: 'The shops, one for each cart there would be.' },
      ),
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
    'which shops can be bought from, and what is known of the price. Nothing is stored, counted or bought, and no shop is ' +
    'contacted.',
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
  responses: { 200: PurchaseIntentPreview },
  problems: createProblems,
  async handle(ctx, { body }) {
    checkRequests(body.items)
    const quoted = await readQuoted(ctx, body)
    const requested = readRequest(body, quoted)
    const promoCode = promoCodeOf(body.preferences)
    const urls = body.items.map(({ url }) => url)
    const [facts, catalog, listing] = await Promise.all([
      readCreateFacts(ctx, body),
      quoted ? [] : readItemsAt(ctx.reads, ctx.tenant.mode, urls),
      quoted && readQuotedListing(ctx.reads, quoted.quote),
    ])
    const plan = planPurchase(ctx, { body, requested }, facts)
    const { status, nextAction } = decideCreate(plan.verdict, plan.attention, {
      now: ctx.now,
      policiesAllow: plan.policiesAllow,
    })
    const carts = quoted
      ? [quotedCart(plan, quoted, listing)]
      : await previewCarts(ctx, plan, { facts, catalog, promoCode })
    const merchants = previewMerchants(plan, carts, {
      mode: ctx.tenant.mode,
      now: ctx.now,
      promoCode,
    })
    return reply(200, {
      object: 'purchase_intent_preview' as const,
      mode: ctx.tenant.mode,
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
    })
  },
})
