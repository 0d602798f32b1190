import Type, { type Static } from 'typebox'
import type { Mode, Tenant } from '../../../contract/context.ts'
import {
  Amount,
  At,
  Closed,
  CurrencyCode,
  Described,
  IdOf,
  IdParam,
  Metadata,
  ModeSchema,
  Named,
  Nullable,
  OneOf,
  objectHead,
} from '../../../contract/schemas.ts'
import type { Id } from '../../../core/id.ts'
import type { MerchantIdentity } from '../../policies/public.ts'
import { AgenticCatalogItemType, Inputs, RequiredInput } from '../../selling/catalog/public.ts'
import { quoteStatuses } from './machine.ts'

export const QuoteParams = { quote_id: IdParam('The quote.', 'quo') }
const QuoteStatusSchema = Named(
  'QuoteStatus',
  OneOf(quoteStatuses, {
    description:
      'How far a quote is. `pending` waits for the merchant, `quoted` can be accepted, `requires_input` waits for `inputs` from the buyer; the others can be refreshed, or have ended.',
  }),
)

export const PriceProposal = Named(
  'QuotePriceProposal',
  Closed(
    {
      unit_amount: Amount(
        'What one unit should cost, before fulfillment and tax, in minor units (1999 is $19.99).',
      ),
      currency: Described(CurrencyCode, 'ISO 4217 code of that amount, such as USD.'),
    },
    {
      description:
        'A price that the buyer would like to pay. The merchant sees it; the buyer pays the price of the offer.',
    },
  ),
)
export type PriceProposal = Static<typeof PriceProposal>

/** Anything that the merchant wants to show of a booking. */
export const BookingSnapshot = Type.Record(Type.String(), Type.Unknown(), {
  maxProperties: 100,
  noCardNumber: true,
})

export const QuoteItem = Named(
  'QuoteItem',
  Closed(
    {
      catalog_item_id: IdOf('cat', 'The catalog item.'),
      catalog_variant_id: Nullable(IdOf('var', 'The variant; null if the item as a whole was named.')),
      sku: Nullable(Type.String({ description: "The merchant's SKU." })),
      title: Type.String({ description: 'What it is called.' }),
      url: Nullable(Type.String({ description: 'The product page.' })),
      item_type: Described(AgenticCatalogItemType, 'What kind of item it is.'),
      quantity: Type.Integer({ minimum: 1, description: 'How many units.' }),
      list_price: Nullable(
        Closed(
          {
            unit_amount: Amount('What one unit costs in the catalog, in minor units (1999 is $19.99).'),
            currency: Type.String({ description: 'ISO 4217 code of that amount.' }),
          },
          { description: 'The catalog price; null if there is none.' },
        ),
      ),
    },
    { description: 'What a price was asked for.' },
  ),
)
export type QuoteItem = Static<typeof QuoteItem>

export const QuoteOffer = Named(
  'QuoteOffer',
  Closed(
    {
      id: IdOf('offer', 'The id of the offer, for v1_accept_quote.'),
      total_amount: Amount(
        'What it costs in all, with fulfillment and tax, in minor units (1999 is $19.99).',
      ),
      currency: Type.String({ description: 'ISO 4217 code of that amount.' }),
      available_quantity: Nullable(
        Type.Integer({
          minimum: 0,
          description: 'How many units the merchant has; null if it does not say.',
        }),
      ),
      expires_at: At('Until when the offer can be accepted.'),
      booking_snapshot: Type.Optional(
        Described(BookingSnapshot, 'What is booked, as the merchant describes it.'),
      ),
      message: Nullable(Type.String({ description: 'What the merchant says about it.' })),
    },
    { description: 'A binding price of a merchant.' },
  ),
)
export type QuoteOffer = Static<typeof QuoteOffer>

export const ShipTo = Named(
  'QuoteShipTo',
  Closed(
    {
      country: Type.String({ description: 'ISO 3166-1 alpha-2 country code.' }),
      state: Nullable(Type.String({ description: 'State or province.' })),
      city: Type.String({ description: 'City.' }),
      postal_code: Nullable(Type.String({ description: 'Postal code.' })),
    },
    { description: 'Where goods would be shipped to.' },
  ),
)
export type ShipTo = Static<typeof ShipTo>

function quoteMerchant(description: string) {
  return Closed(
    {
      id: IdOf('acct', "The merchant's id."),
      slug: Nullable(Type.String({ description: 'Its short name in URLs and quotes.' })),
      domain: Nullable(Type.String({ description: 'Its domain.' })),
      name: Nullable(Type.String({ description: 'Its name.' })),
    },
    { description },
  )
}

/** The question to the merchant, as its backend sees it. */
export const QuoteRequest = Named(
  'QuoteRequest',
  Closed(
    {
      id: IdOf('quo', 'The quote. Its id stands in the path of the answer.'),
      object: Type.Literal('quote', { description: 'The type of this object.' }),
      mode: ModeSchema,
      created_at: At('When it was created.'),
      status: Described(QuoteStatusSchema, 'How far the quote is.'),
      merchant: quoteMerchant('The merchant that is asked.'),
      currency: Type.String({ description: 'ISO 4217 code of the currency that offers are in.' }),
      items: Type.Array(QuoteItem, {
        description: 'The catalog items; empty if only the merchant was named.',
      }),
      quantity: Type.Integer({ minimum: 1, description: 'How many units.' }),
      price_proposal: Type.Optional(Described(PriceProposal, 'The price that the buyer proposes.')),
      inputs: Described(Inputs, 'What the buyer told you, by name.'),
      ship_to: Nullable(Described(ShipTo, 'Where it would be shipped to; null if nobody said.')),
      note: Nullable(Type.String({ description: "The buyer's note." })),
      respond_by: Nullable(At('Until when the buyer waits for the answer.')),
    },
    { description: 'A request for a price, as it is sent to the merchant.' },
  ),
)
export type QuoteRequest = Static<typeof QuoteRequest>

const quoteFailures = ['responder_failed', 'no_answer'] as const
type QuoteFailure = (typeof quoteFailures)[number]

export const Quote = Named(
  'Quote',
  Closed(
    {
      ...objectHead('quo', 'quote'),
      status: Described(QuoteStatusSchema, 'How far the quote is. Only a `quoted` one can be accepted.'),
      merchant: quoteMerchant('The merchant that was asked.'),
      items: Type.Array(QuoteItem, {
        description: 'The catalog items; empty if only the merchant was named.',
      }),
      quantity: Type.Integer({ minimum: 1, description: 'How many units.' }),
      profile_id: Nullable(IdOf('prof', 'The profile it was made for; null if none was named.')),
      address_id: Nullable(IdOf('addr', 'The address it was made for; null if none was named.')),
      price_proposal: Nullable(
        Described(PriceProposal, 'The price you proposed; null if you proposed none.'),
      ),
      negotiation: Closed(
        {
          outcome: OneOf(['forwarded', 'not_requested'], {
            description:
              '`forwarded`: the merchant saw your proposal. You pay the price of the offer, never the proposal.',
          }),
        },
        { description: 'What happened to your proposal.' },
      ),
      inputs: Described(Inputs, 'What you told the merchant, by name.'),
      required_inputs: Type.Array(RequiredInput, {
        description: 'With `requires_input`: what to send in `inputs` of v1_refresh_quote.',
      }),
      offers: Type.Array(QuoteOffer, { description: 'The offers you can accept.' }),
      message: Nullable(Type.String({ description: 'Why the merchant declined, in its words.' })),
      failure: Nullable(
        OneOf(quoteFailures, {
          description:
            "`responder_failed`: the merchant's backend refused or kept failing. `no_answer`: 15 minutes passed without an answer.",
        }),
      ),
      responder: Closed(
        {
          deadline_at: Nullable(At('Until when a call waits; the merchant may answer for 15 minutes.')),
          responded_at: Nullable(At('When the merchant answered; null if it has not.')),
        },
        { description: 'When the merchant answers.' },
      ),
      expires_at: Nullable(At('When the last of the offers expires.')),
      accepted_offer_id: Nullable(IdOf('offer', 'The offer that was bought; null if none was.')),
      purchase_intent_id: Nullable(IdOf('pi', 'The purchase that used the quote; null if none did.')),
      note: Nullable(Type.String({ description: 'Your note to the merchant.' })),
      metadata: Metadata,
    },
    { description: 'A binding price that a merchant was asked for.' },
  ),
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
  /** The merchant's identity when it was last asked. */
  merchant_identity: MerchantIdentity
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
  /** How many times the merchant has been asked. */
  round: number
  requested_event_id: Id<'evt'> | null
  /** The destination that was asked. */
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

/** A quote whole, as it was read: what is decided from it is written over it, if it has not changed since. */
export type QuoteAsRead = Readonly<QuoteRow>

/** Its columns that hold times. */
export const quoteTimes = [
  'requested_at',
  'deadline_at',
  'responded_at',
  'expires_at',
  'cancelled_at',
  'due_at',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof QuoteRow)[]

/** The buyer's account: it owns the quote, even when another party acts on it. */
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

/** What the merchant receives: everything that it needs to name a price, and nothing about the buyer's identity. */
export function renderRequest(row: QuoteRow): QuoteRequest {
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

function merchantOf(row: QuoteRow): Quote['merchant'] {
  return {
    id: row.merchant_account_id,
    slug: row.merchant_slug,
    domain: row.merchant_domain,
    name: row.merchant_name,
  }
}
