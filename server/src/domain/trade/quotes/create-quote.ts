import Type, { type Static } from 'typebox'
import type { ActingContext } from '../../../contract/context.ts'
import { exampleId } from '../../../contract/examples.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { invalid, Problem } from '../../../contract/problem.ts'
import { Closed, Described, IdParam, Metadata, Named, Nullable, Text } from '../../../contract/schemas.ts'
import { normalizeCurrency } from '../../../schema/formats.ts'
import { exactlyOne, given, Ruled, whenThen } from '../../../schema/rules.ts'
import { type Address, type ProfileFacts, readProfile } from '../../buyers/profiles/public.ts'
import { Inputs } from '../../selling/catalog/public.ts'
import { PriceProposal, Quote, type QuoteRow, type ShipTo } from './quote.ts'
import { awaitedReply, currentReply, quoteHeaders, waitingAnswers, waitingHeaders } from './quote-reply.ts'
import { askMerchant, unanswered } from './request-quote.ts'
import { findTarget, resolveTarget, type Selector, type Target, targetColumns } from './resolve-target.ts'

const rules = {
  exactlyOne: 'send exactly one of catalog_item_id, catalog_variant_id and merchant_slug',
  address: 'address_id needs the profile_id that the address belongs to',
}

export const QuoteCreate = Named(
  'PublicV1QuoteCreateRequest',
  Ruled(
    Closed(
      {
        catalog_item_id: Type.Optional(Nullable(IdParam('A published item of any merchant.', 'cat'))),
        catalog_variant_id: Type.Optional(Nullable(IdParam('A variant of a published item.', 'var'))),
        merchant_slug: Type.Optional(
          Nullable(IdParam('A merchant alone: `note` and `inputs` say what you want.')),
        ),
        quantity: Type.Optional(
          Type.Integer({ minimum: 1, maximum: 10_000, default: 1, description: 'How many units.' }),
        ),
        profile_id: Type.Optional(Nullable(IdParam('The profile to buy for.', 'prof'))),
        address_id: Type.Optional(
          Nullable(
            IdParam(
              'Where to ship to: an address of the profile. Default: its default shipping address.',
              'addr',
            ),
          ),
        ),
        price_proposal: Type.Optional(
          Nullable(
            Described(PriceProposal, 'A price you would like to pay; the merchant sees it and decides.'),
          ),
        ),
        inputs: Type.Optional(Described(Inputs, 'What the merchant needs to know, by name.')),
        note: Type.Optional(Nullable(Text(2000, { description: 'A note to the merchant.' }))),
        metadata: Type.Optional(Metadata),
      },
      { description: 'What to ask a merchant a price for.' },
    ),
    rules,
    [
      exactlyOne({ catalog_item_id: 'string', catalog_variant_id: 'string', merchant_slug: 'string' }),
      whenThen(given('address_id'), given('profile_id')),
    ],
  ),
)
export type QuoteCreate = Static<typeof QuoteCreate>

export const createQuote = defineOperation({
  id: 'v1_create_quote',
  method: 'POST',
  path: '/v1/quotes',
  auth: 'secret',
  scope: 'quotes:write',
  forBound: 'served',
  tag: 'Quotes',
  summary: 'Request a quote',
  description:
    'Asks one merchant for a binding price; name exactly one of `catalog_item_id`, `catalog_variant_id` and ' +
    '`merchant_slug`. Waits up to ten seconds for the merchant. If `status` is still `pending` after that, read it with ' +
    'v1_get_quote. If it is `requires_input`, send what `required_inputs` asks for with v1_refresh_quote. If it is ' +
    '`quoted`, buy with v1_accept_quote before the offer expires. The same `idempotency_key` joins the wait and asks the ' +
    'merchant only once.',
  requiresIdempotencyKey: true,
  body: QuoteCreate,
  examples: {
    item: {
      summary: 'Ask for the price of two units of a catalog item',
      body: { catalog_item_id: exampleId('cat'), quantity: 2, profile_id: exampleId('prof') },
    },
    proposal: {
      summary: 'Ask a merchant, with a price you would like to pay',
      body: {
        merchant_slug: 'blue-mugs',
        quantity: 10,
        price_proposal: { unit_amount: 1500, currency: 'USD' },
        note: 'Ten blue mugs with our logo.',
      },
    },
  },
  responses: { 201: Quote, 202: Quote, 422: Quote },
  answers: { 201: 'The merchant has answered.', ...waitingAnswers },
  replyHeaders: waitingHeaders,
  problems: ['not_found', 'merchant_setup_incomplete', 'responder_not_configured', 'responder_failed'],
  replay: 'current',
  async handle(ctx, { body }) {
    const { row, target } = await prepareQuote(ctx, body)
    const asked = askMerchant(ctx, row, target, { isNew: true })
    const headers = quoteHeaders(ctx, asked.quote)
    if (asked.quote.status === 'requires_input') return reply(422, asked.quote, { headers })
    // guard quote-waits-at-once: an account waits for so many quotes at once
    ctx.hold('quoteWaits')
    return reply(202, asked.quote, {
      headers,
      settle: () => awaitedReply(ctx, asked.row, { done: 201, isFresh: true }),
    })
  },
  current: (ctx, quoteId) => currentReply(ctx, quoteId, 201),
})

/**
 * The quote that a request would make, and the merchant that it would ask; nothing is written. Throws what is wrong with the request,
 * which stands at `loc`.
 */
export async function prepareQuote(
  ctx: ActingContext,
  body: QuoteCreate,
  loc: readonly string[] = ['body'],
): Promise<{ row: QuoteRow; target: Target }> {
  const selector = selectorOf(body, loc)
  const { mode } = ctx.tenant
  const profileId = body.profile_id ?? null
  const [profile, found] = await Promise.all([
    profileId === null ? null : readProfile(ctx.reads, ctx.tenant, profileId),
    findTarget(ctx.reads, mode, selector),
  ])
  const shipping = shippingOf(profile, body, loc)
  const target = await resolveTarget(ctx.reads, selector, found)
  const row = { ...blankQuote(ctx, body), ...targetColumns(target, body.quantity ?? 1), ...shipping }
  return { row, target }
}

function selectorOf(
  { catalog_item_id, catalog_variant_id, merchant_slug }: QuoteCreate,
  loc: readonly string[],
): Selector {
  const selector = { catalog_item_id, catalog_variant_id, merchant_slug }
  const named = Object.values(selector).filter((value) => value !== undefined && value !== null)
  if (named.length !== 1) {
    throw invalid([...loc], rules.exactlyOne)
  }
  return selector
}

/** A quote for which no merchant has been asked yet. */
function blankQuote(ctx: ActingContext, body: QuoteCreate) {
  const proposal = body.price_proposal ?? null
  return {
    account_id: ctx.tenant.accountId,
    mode: ctx.tenant.mode,
    id: ctx.newId('quo'),
    quantity: body.quantity ?? 1,
    price_proposal: proposal && { ...proposal, currency: normalizeCurrency(proposal.currency) },
    inputs: body.inputs ?? {},
    note: body.note ?? null,
    metadata: body.metadata ?? {},
    status: 'pending' as const,
    ...unanswered,
    offers: [],
    required_inputs: [],
    round: 0,
    requested_event_id: null,
    destination_id: null,
    requested_at: null,
    deadline_at: null,
    accepted_offer_id: null,
    purchase_intent_id: null,
    cancelled_at: null,
    due_at: null,
    seq: 0,
    created_at: ctx.now,
    updated_at: ctx.now,
  }
}

type Shipping = Pick<QuoteRow, 'profile_id' | 'address_id' | 'ship_to'>

function shippingOf(profile: ProfileFacts | null, body: QuoteCreate, loc: readonly string[]): Shipping {
  const addressId = body.address_id ?? null
  if ((body.profile_id ?? null) === null) {
    if (addressId !== null) throw invalid([...loc, 'address_id'], rules.address)
    return { profile_id: null, address_id: null, ship_to: null }
  }
  if (!profile) throw new Problem('not_found', { param: 'profile_id' })
  const address =
    addressId === null ? defaultOf(profile) : profile.addresses.find(({ id }) => id === addressId)
  if (!address && addressId !== null) throw new Problem('not_found', { param: 'address_id' })
  return {
    profile_id: profile.id,
    address_id: address ? addressIdOf(address) : null,
    ship_to: address ? shipTo(address) : null,
  }
}

function defaultOf({ addresses }: ProfileFacts): Address | undefined {
  return addresses.find((address) => address.is_default && address.address_type !== 'billing')
}

function addressIdOf({ id }: Address): NonNullable<QuoteRow['address_id']> {
  return id as NonNullable<QuoteRow['address_id']> // written by us under this prefix
}

function shipTo({ country, state, city, postal_code }: Address): ShipTo {
  return { country, state, city, postal_code }
}
