import Type, { type Static } from 'typebox'
import { type CardBrand, cardBrands } from '../../../contract/card-brands.ts'
import type { CallContext } from '../../../contract/context.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { invalid, Problem } from '../../../contract/problem.ts'
import { Closed, Described, IdParam, OneOf, Text } from '../../../contract/schemas.ts'
import { newToken } from '../../../platform/secrets/keyed-hash.ts'
import type { CardRecord } from '../../../platform/vault-client/vault-words.ts'
import { Ruled, says, whenThen } from '../../../schema/rules.ts'
import { CardKeepers, isSetup, keeperBudgetMs, readKeptCard, useSetup } from '../card-setups/public.ts'
import { startEnrollment } from './decide-enrollment.ts'
import { PaymentMethod, type PaymentMethodRow } from './payment-method.ts'
import { CardVault, vaultBudgetMs } from './port.ts'
import { countRefusal, stopAfterRefusals } from './refusals.ts'
import { isTestIdentifier, testCardExpiry, testCardOf, testCards } from './test-cards.ts'
import { addMethod, clearDefault, lockMethodsOf, methodsMax } from './write-payment-method.ts'

const rules = {
  terms: 'the cardholder must acknowledge the terms before enrollment is requested',
  noBrand: 'cards of this brand are not taken here',
  noToken: `this is neither a token of a card nor, in test mode, one of the test cards ${Object.keys(testCards).join(', ')}`,
}

const CardCreate = Ruled(
  Closed({
    kind: OneOf(['existing'], { description: '`existing`: a card the person already has.' }),
    vault_token_id: Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'A token of a card, or in test mode the name of a test card, such as `visa_auto_approved`.',
    }),
    cardholder_name: Type.Optional(Text(255, { description: 'The name on the card.' })),
    agentic_credentials_enrollment_requested: Type.Optional(
      Type.Boolean({
        description:
          'Whether to enroll the card for purchases by agents, so that it needs no security code each time.',
      }),
    ),
    agentic_terms_acknowledged: Type.Optional(
      Type.Boolean({
        description: 'Whether the person accepted the terms of that enrollment, which requires it.',
      }),
    ),
  }),
  rules,
  [
    whenThen(
      says('agentic_credentials_enrollment_requested', true),
      says('agentic_terms_acknowledged', true),
    ),
  ],
)

export const createProfilePaymentMethod = defineOperation({
  id: 'v1_create_profile_payment_method',
  method: 'POST',
  path: '/v1/profiles/{profile_id}/payment_methods',
  auth: 'secret',
  scope: 'payment_methods:write',
  surfaces: ['v1', 'mcp', 'elements'],
  // By a component, which acts for one profile: no agent that is bound to one has the scope.
  forBound: 'served',
  tag: 'Payment methods',
  summary: 'Add a payment method to a profile',
  description:
    'Takes a token of a card, or the name of a test card in test mode; never a card number or a security code. ' +
    "A profile's first payment method becomes its default. If `next_action` is set, complete the enrollment with " +
    'v1_verify_profile_payment_method.',
  params: Closed({ profile_id: IdParam('The profile.', 'prof') }),
  body: Closed({
    type: OneOf(['card'], { description: '`card` is the only type.' }),
    is_default: Type.Optional(
      Type.Boolean({ description: 'Whether it becomes the default payment method of the profile.' }),
    ),
    label: Type.Optional(Text(255, { description: 'A name to tell it from others, such as "Work card".' })),
    billing_address: Type.Optional(
      Closed({ id: IdParam('An address of the profile.', 'addr') }, { description: 'The billing address.' }),
    ),
    card: Described(CardCreate, 'The card.'),
  }),
  examples: {
    test_card: {
      summary: 'Add a test card that agents can pay with',
      body: {
        type: 'card',
        is_default: true,
        label: 'Work card',
        card: {
          kind: 'existing',
          vault_token_id: 'visa_auto_approved',
          cardholder_name: 'Ada Lovelace',
          agentic_credentials_enrollment_requested: true,
          agentic_terms_acknowledged: true,
        },
      },
    },
    each_time: {
      summary: 'Add a test card that needs its security code each time',
      body: { type: 'card', card: { kind: 'existing', vault_token_id: 'visa_auto_approved' } },
    },
  },
  responses: { 201: PaymentMethod },
  problems: [
    'not_found',
    'profile_archived',
    'object_limit_reached',
    'test_card_identifier_not_allowed_in_live_mode',
    'client_secret_required',
    'card_not_entered',
  ],
  outside: { ports: [CardVault, CardKeepers], budgetMs: Math.max(vaultBudgetMs, keeperBudgetMs) },
  async handle(ctx, { path, body }) {
    requireTerms(body.card)
    const setup = isSetup(body.card.vault_token_id) ? body.card.vault_token_id : null
    const card = await (setup === null
      ? resolveCard(ctx, body.card.vault_token_id)
      : resolveKept(ctx, { profileId: path.profile_id, setup }))
    const { owner, methods } = await lockMethodsOf(ctx, path.profile_id)
    await stopAfterRefusals(ctx, path.profile_id)
    if (owner.status === 'archived') throw new Problem('profile_archived')
    if (methods.length >= methodsMax) throw new Problem('object_limit_reached')
    const billingId = body.billing_address?.id
    if (billingId !== undefined && !owner.addresses.some((address) => address.id === billingId)) {
      throw new Problem('not_found', { param: 'billing_address.id' })
    }
    if (setup !== null) await useSetup(ctx, { profileId: path.profile_id, setup })
    // guard default-by-the-account: what anybody can leave in a page is not what a purchase pays with by itself
    const isDefault = ctx.actor.type !== 'cardholder' && (body.is_default === true || methods.length === 0)
    if (isDefault) clearDefault(ctx, methods, null)
    const row: PaymentMethodRow = {
      id: ctx.newId('pm'),
      profile_id: path.profile_id as PaymentMethodRow['profile_id'], // the row locked above has this id
      type: 'card',
      is_default: isDefault,
      label: body.label ?? null,
      billing_address_id: (billingId as PaymentMethodRow['billing_address_id']) ?? null, // one of the owner's, checked above
      card_kind: 'existing',
      card_brand: card.brand,
      card_last4: card.last4,
      card_exp_month: card.expMonth,
      card_exp_year: card.expYear,
      vault_token: card.token,
      test_card: card.testCard,
      enrollment_requested: body.card.agentic_credentials_enrollment_requested ?? false,
      ...startEnrollment({
        requested: body.card.agentic_credentials_enrollment_requested ?? false,
        testCard: card.testCard === null ? null : testCardOf(card.testCard),
        isKept: card.kept !== null,
      }),
      added_in: ctx.component?.hash ?? null,
      proven_there: false,
      seq: 1,
      created_at: ctx.now,
      updated_at: ctx.now,
      deleted_at: null,
      added_by: addedBy(ctx),
      kept_by: card.kept?.rail ?? null,
      kept_customer: card.kept?.customer ?? null,
      kept_method: card.kept?.method ?? null,
    }
    const { agentic_status } = row
    if (agentic_status === 'active' || agentic_status === 'rejected')
      countRefusal(ctx, row.profile_id, agentic_status === 'rejected')
    return reply(201, addMethod(ctx, row, 'payment_method.created'))
  },
})

export function addedBy({ component }: CallContext): PaymentMethodRow['added_by'] {
  if (component === null) return 'account'
  // guard added-by-anybody: a card that a page without a secret has added is known for one
  return component.isVouched ? 'client_secret' : 'page'
}

function requireTerms(card: Static<typeof CardCreate>): void {
  if (card.agentic_credentials_enrollment_requested && !card.agentic_terms_acknowledged) {
    throw invalid(['body', 'card', 'agentic_terms_acknowledged'], rules.terms)
  }
}

/** A card as a method has it. */
type ResolvedCard = Omit<CardRecord, 'id' | 'brand'> & {
  readonly token: string
  readonly brand: CardBrand
  /** Where a rail keeps it; null: the vault does, or it is one of test mode. */
  readonly kept: { readonly rail: string; readonly customer: string; readonly method: string } | null
}

/** Our form of token: the vault makes them, and identifiers of test cards are replaced by them. */
const cardTokenPattern = /^pr_vt_(test|live)_[0-9A-Za-z]{33}$/

/** The card that the vault has under a token, or the test card of an identifier, of which it has none. */
async function resolveCard(ctx: CallContext, tokenId: string): Promise<ResolvedCard> {
  // guard no-test-card-in-live-mode: live mode takes no identifier of a test card
  if (ctx.tenant.mode === 'live' && isTestIdentifier(tokenId)) {
    throw new Problem('test_card_identifier_not_allowed_in_live_mode', { param: 'card.vault_token_id' })
  }
  const testCard = testCardOf(tokenId)
  if (testCard) {
    return {
      brand: testCard.brand,
      last4: testCard.last4,
      expMonth: testCardExpiry.month,
      expYear: testCardExpiry.year,
      testCard: tokenId,
      token: newToken(`pr_vt_${ctx.tenant.mode}_`, ctx.random),
      kept: null,
    }
  }
  if (!cardTokenPattern.test(tokenId)) {
    throw invalid(['body', 'card', 'vault_token_id'], rules.noToken)
  }
  const said = await ctx.port(CardVault).describe(ctx.tenant, tokenId)
  if (said.kind === 'away') throw new Problem('unavailable', { headers: { 'retry-after': '1' } })
  const brand = said.kind === 'record' ? cardBrands.find((one) => one === said.record.brand) : undefined
  if (said.kind === 'none' || brand === undefined)
    throw new Problem('not_found', { param: 'card.vault_token_id' })
  const { last4, expMonth, expYear, testCard: entered } = said.record
  return { brand, last4, expMonth, expYear, testCard: entered, token: tokenId, kept: null }
}

/** The card that a person has entered at a rail. The vault has nothing of it, under a token of its own. */
async function resolveKept(
  ctx: CallContext,
  entered: { profileId: string; setup: string },
): Promise<ResolvedCard> {
  const { rail, customer, method, ...card } = await readKeptCard(ctx, entered)
  const brand = cardBrands.find((one) => one === card.brand)
  if (brand === undefined) throw invalid(['body', 'card', 'vault_token_id'], rules.noBrand)
  const token = newToken(`pr_vt_${ctx.tenant.mode}_`, ctx.random)
  return { ...card, brand, testCard: null, token, kept: { rail, customer, method } }
}
