import Type, { type Static } from 'typebox'
import type { Mode, Tenant } from '../../contract/context.ts'
import {
  Amount,
  Closed,
  CurrencyCode,
  IdOf,
  IdParam,
  Metadata,
  Named,
  Nullable,
  OneOf,
  objectHead,
  Timestamp,
} from '../../contract/schemas.ts'
import type { Id } from '../../core/id.ts'
import { identityOf, type MerchantRow } from '../merchant/public.ts'
import { Inputs, RequiredInput } from '../merchant-catalog/public.ts'
import type { MerchantIdentity } from '../policies/public.ts'
import { quoteStatuses } from './machine.ts'

export const QuoteParams = { quote_id: IdParam('The quote.') }
export const QuoteStatusSchema = Named('QuoteStatus', OneOf(quoteStatuses))

export const PriceProposal = Named(
  'QuotePriceProposal',
  Closed({
    unit_amount: Amount('Minor units for a single unit, before fulfilment and tax.'),
    currency: CurrencyCode,
  }),
)
export type PriceProposal = Static<typeof PriceProposal>

/** Whatever the merchant wants to show of a booking. */
export const BookingSnapshot = Type.Record(Type.String(), Type.Unknown(), {
  maxProperties: 100,
  noCardNumber: true,
})

export const QuoteItem = Named(
  'QuoteItem',
  Closed({
    catalog_item_id: IdOf('cat'),
    catalog_variant_id: Nullable(IdOf('var')),
    sku: Nullable(Type.String()),
    title: Type.String(),
    url: Nullable(Type.String()),
    item_type: OneOf(['product', 'digital', 'service', 'booking']),
    quantity: Type.Integer({ minimum: 1 }),
    list_price: Nullable(
      Closed({ unit_amount: Amount("The catalog's price of one unit."), currency: Type.String() }),
    ),
  }),
)
export type QuoteItem = Static<typeof QuoteItem>

export const QuoteOffer = Named(
  'QuoteOffer',
  Closed({
    id: IdOf('offer'),
    total_amount: Amount('The complete total, fulfilment and tax included, in minor units.'),
    currency: Type.String(),
    available_quantity: Nullable(Type.Integer({ minimum: 0 })),
    expires_at: Timestamp,
    booking_snapshot: Type.Optional(BookingSnapshot),
    message: Nullable(Type.String()),
  }),
)
export type QuoteOffer = Static<typeof QuoteOffer>

export const ShipTo = Named(
  'QuoteShipTo',
  Closed({
    country: Type.String(),
    state: Nullable(Type.String()),
    city: Type.String(),
    postal_code: Nullable(Type.String()),
  }),
)
export type ShipTo = Static<typeof ShipTo>

export const quoteFailures = ['responder_failed', 'no_answer'] as const
export type QuoteFailure = (typeof quoteFailures)[number]

export const Quote = Named(
  'Quote',
  Closed({
    ...objectHead('quo', 'quote'),
    status: QuoteStatusSchema,
    merchant: Closed({
      id: IdOf('acct'),
      slug: Nullable(Type.String()),
      domain: Nullable(Type.String()),
      name: Nullable(Type.String()),
    }),
    items: Type.Array(QuoteItem, { description: 'Empty where only the merchant was named.' }),
    quantity: Type.Integer({ minimum: 1 }),
    profile_id: Nullable(IdOf('prof')),
    address_id: Nullable(IdOf('addr')),
    price_proposal: Nullable(PriceProposal),
    negotiation: Closed({
      outcome: OneOf(['forwarded', 'not_requested'], {
        description: 'A proposal is shown to the merchant and never charged.',
      }),
    }),
    inputs: Inputs,
    required_inputs: Type.Array(RequiredInput, {
      description: 'With `requires_input`: what to send in `inputs` when the quote is refreshed.',
    }),
    offers: Type.Array(QuoteOffer),
    message: Nullable(Type.String({ description: 'What the merchant said when it declined.' })),
    failure: Nullable(
      OneOf(quoteFailures, {
        description:
          "`responder_failed`: the merchant's backend refused or kept failing. `no_answer`: 15 minutes went by.",
      }),
    ),
    responder: Closed({
      deadline_at: Nullable({
        ...Timestamp,
        description: 'Until when a caller waits; the merchant may answer for 15 minutes.',
      }),
      responded_at: Nullable(Timestamp),
    }),
    expires_at: Nullable({ ...Timestamp, description: 'When the last of the offers ends.' }),
    accepted_offer_id: Nullable(IdOf('offer')),
    purchase_intent_id: Nullable(IdOf('pi')),
    note: Nullable(Type.String()),
    metadata: Metadata,
  }),
)
export type Quote = Static<typeof Quote>

export type QuoteRow = {
  account_id: Id<'acct'>
  mode: Mode
  id: Id<'quo'>
  merchant_account_id: Id<'acct'>
  merchant_name: string | null
  merchant_slug: string | null
  merchant_domain: string | null
  merchant_currency: string
  /** Who the merchant was when it was last asked; null where the version before this one wrote the quote. */
  merchant_identity: MerchantIdentity | null
  catalog_item_id: Id<'cat'> | null
  catalog_variant_id: string | null
  item_type: string | null
  items: QuoteItem[]
  quantity: number
  profile_id: Id<'prof'> | null
  address_id: Id<'addr'> | null
  ship_to: ShipTo | null
  price_proposal: PriceProposal | null
  inputs: Inputs
  note: string | null
  metadata: Record<string, string>
  status: Quote['status']
  offers: QuoteOffer[]
  required_inputs: RequiredInput[]
  message: string | null
  /** How often the merchant has been asked. */
  round: number
  requested_event_id: Id<'evt'> | null
  /** Which destination was asked. */
  destination_id: Id<'dest'> | null
  requested_at: Date | null
  deadline_at: Date | null
  responded_at: Date | null
  responded_by_type: string | null
  responded_by_id: string | null
  failure: QuoteFailure | null
  expires_at: Date | null
  accepted_offer_id: string | null
  purchase_intent_id: Id<'pi'> | null
  cancelled_at: Date | null
  due_at: Date | null
  seq: number
  created_at: Date
  updated_at: Date
}

/** The buyer's account: the quote's owner, whoever acts on it. */
export function ownerOf(row: Pick<QuoteRow, 'account_id' | 'mode'>): Tenant {
  return { accountId: row.account_id, mode: row.mode }
}

export function renderQuote(row: QuoteRow): Quote {
  return {
    id: row.id,
    object: 'quote',
    mode: row.mode,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    status: row.status,
    merchant: merchantOf(row),
    items: row.items,
    quantity: row.quantity,
    profile_id: row.profile_id,
    address_id: row.address_id,
    price_proposal: row.price_proposal,
    negotiation: { outcome: row.price_proposal ? 'forwarded' : 'not_requested' },
    inputs: row.inputs,
    required_inputs: row.required_inputs,
    offers: row.offers,
    message: row.message,
    failure: row.failure,
    responder: {
      deadline_at: row.deadline_at?.toISOString() ?? null,
      responded_at: row.responded_at?.toISOString() ?? null,
    },
    expires_at: row.expires_at?.toISOString() ?? null,
    accepted_offer_id: row.accepted_offer_id,
    purchase_intent_id: row.purchase_intent_id,
    note: row.note,
    metadata: row.metadata,
  }
}

/** What the merchant is sent: what it takes to name a price, and nothing of whose it is. */
export function renderRequest(row: QuoteRow): Record<string, unknown> {
  return {
    id: row.id,
    object: 'quote',
    mode: row.mode,
    created_at: row.created_at.toISOString(),
    status: row.status,
    merchant: merchantOf(row),
    currency: row.merchant_currency,
    items: row.items,
    quantity: row.quantity,
    ...(row.price_proposal ? { price_proposal: row.price_proposal } : {}),
    inputs: row.inputs,
    ship_to: row.ship_to,
    note: row.note,
    respond_by: row.deadline_at?.toISOString() ?? null,
  }
}

/**
 * Whom the quote asked. Where the version before this one asked, the quote has the account and the domain; what it does not say is as it
 * is when somebody first looks.
 */
export function askedMerchant(row: QuoteRow, now: MerchantRow): MerchantIdentity {
  if (row.merchant_identity !== null) return row.merchant_identity
  return { ...identityOf(now), account_id: row.merchant_account_id, domain: row.merchant_domain }
}

function merchantOf(row: QuoteRow): Quote['merchant'] {
  return {
    id: row.merchant_account_id,
    slug: row.merchant_slug,
    domain: row.merchant_domain,
    name: row.merchant_name,
  }
}
