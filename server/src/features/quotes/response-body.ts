import Type, { type Static } from 'typebox'
import { normalizeCurrency } from '../../contract/formats.ts'
import {
  Amount,
  At,
  Closed,
  CurrencyCode,
  Described,
  IdParam,
  Named,
  Nullable,
  OneOf,
} from '../../contract/schemas.ts'
import type { ValidationIssue } from '../../contract/validation-issues.ts'
import {
  type RequiredInput,
  RequiredInputWrite,
  requiredInputsMax,
  requiredInputsOf,
} from '../merchant-catalog/public.ts'
import { BookingSnapshot, type QuoteOffer } from './quote.ts'

const Message = Type.Optional(
  Nullable(
    Type.String({
      maxLength: 2000,
      noCardNumber: true,
      description: 'A note to the buyer, such as why you decline.',
    }),
  ),
)
const Quantity = Type.Optional(
  Nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'How many units you have.' })),
)
const Snapshot = Type.Optional(
  Nullable(Described(BookingSnapshot, 'What is booked, as the buyer sees it; required for bookings.')),
)
const Total = Amount('What it costs in all, with fulfillment and tax, in minor units (1999 is $19.99).')

const OfferWrite = Closed({
  total_amount: Described(
    Total,
    'What it costs in all, with fulfillment and tax, in minor units (1999 is $19.99).',
  ),
  currency: Type.Optional(
    Nullable(Described(CurrencyCode, "ISO 4217 code of that amount. Default: the merchant's currency.")),
  ),
  available_quantity: Quantity,
  expires_at: At('Until when the offer can be accepted, in the future.'),
  booking_snapshot: Snapshot,
  message: Message,
})

/** One object for two forms, so that what is wrong with one is said in its own words. */
export const QuoteResponseCreate = Named(
  'QuoteResponseCreate',
  Closed(
    {
      event_id: Type.Optional(IdParam('The id of the quote.requested event that this answers.')),
      event_type: Type.Optional(Type.Literal('quote.requested', { description: 'The type of that event.' })),
      quote_id: Type.Optional(IdParam('The quote, as in the path.')),
      decision: Type.Optional(
        OneOf(['accepted', 'declined'], { description: 'With a signature: whether you offer a price.' }),
      ),
      quoted_amount_cents: Type.Optional(
        Nullable(
          Described(
            Total,
            'What it costs in all, with fulfillment and tax, in minor units (1999 is $19.99).',
          ),
        ),
      ),
      currency: Type.Optional(Nullable(Described(CurrencyCode, 'ISO 4217 code of that amount.'))),
      expires_at: Type.Optional(Nullable(At('Until when the price can be accepted, in the future.'))),
      available_quantity: Quantity,
      message: Message,
      booking_snapshot: Snapshot,
      outcome: Type.Optional(
        OneOf(['quoted', 'declined', 'requires_input'], {
          description: 'With an API key: whether you offer prices, decline, or need inputs first.',
        }),
      ),
      offers: Type.Optional(
        Type.Array(OfferWrite, { maxItems: 10, description: 'With `quoted`: the offers.' }),
      ),
      required_inputs: Type.Optional(
        Type.Array(RequiredInputWrite, {
          maxItems: requiredInputsMax,
          description: 'With `requires_input`: what the buyer must tell you first.',
        }),
      ),
    },
    {
      description:
        'Either `decision` with `event_id`, `event_type` and `quote_id`, as backends that sign send it: an accepted one has ' +
        '`quoted_amount_cents`, `currency`, `expires_at` and `available_quantity`, a declined one nothing but `message`. Or `outcome`: ' +
        '`quoted` has `offers`, `requires_input` has `required_inputs`.',
    },
  ),
)
export type QuoteResponseCreate = Static<typeof QuoteResponseCreate>

/** The answer of a caller with a key. */
export const QuoteOutcomeCreate = Closed({
  event_id: Type.Optional(
    IdParam('The id of the quote.requested event that this answers. Default: the last one of the quote.'),
  ),
  outcome: OneOf(['quoted', 'declined', 'requires_input'], {
    description: 'quoted: with offers. declined: with a message. requires_input: with required_inputs.',
  }),
  offers: Type.Optional(
    Type.Array(OfferWrite, { maxItems: 10, description: 'Of quoted: what the buyer can choose from.' }),
  ),
  required_inputs: Type.Optional(
    Type.Array(RequiredInputWrite, {
      maxItems: requiredInputsMax,
      description: 'Of requires_input: what the buyer must say first.',
    }),
  ),
  message: Message,
})

type OfferWrite = Static<typeof OfferWrite>

/** An offer that has no id yet, and where the caller wrote it. */
export type Offered = { readonly offer: Omit<QuoteOffer, 'id'>; readonly loc: readonly (string | number)[] }

export type Answer =
  | { kind: 'quoted'; offers: Offered[] }
  | { kind: 'declined'; message: string | null }
  | { kind: 'requires_input'; inputs: RequiredInput[] }

export type ReadAnswer = { answer: Answer; issues: readonly [] } | { issues: readonly ValidationIssue[] }

/** What the quote says about its answer. */
export type Expected = { readonly isBooking: boolean; readonly currency: string }

/** The answer in one form, or everything that is wrong with it; whether its time is right is asked elsewhere. */
export function readAnswer(body: QuoteResponseCreate, expected: Expected, isSigned: boolean): ReadAnswer {
  const { decision, outcome } = body
  if (decision !== undefined && outcome !== undefined) {
    return { issues: [wrong(['outcome'], 'decision and outcome exclude each other')] }
  }
  if (outcome !== undefined) return readOutcome(outcome, body, expected)
  if (decision !== undefined) return readDecision(decision, body, expected)
  return { issues: [missing(isSigned ? 'decision' : 'outcome')] }
}

function readDecision(
  decision: 'accepted' | 'declined',
  body: QuoteResponseCreate,
  expected: Expected,
): ReadAnswer {
  const issues = [
    ...(['event_id', 'event_type', 'quote_id'] as const)
      .filter((name) => body[name] === undefined)
      .map(missing),
    ...present(body, ['offers', 'required_inputs'], 'belongs to an answer with outcome'),
  ]
  if (decision === 'declined') {
    issues.push(...present(body, priceFields, 'a decline has no price, expiry, quantity or booking'))
    return issues.length > 0
      ? { issues }
      : { issues: [], answer: { kind: 'declined', message: body.message ?? null } }
  }
  const { quoted_amount_cents: total, currency, expires_at: expiresAt } = body
  const lacking = (['quoted_amount_cents', 'currency', 'expires_at', 'available_quantity'] as const).filter(
    (name) => (body[name] ?? null) === null,
  )
  issues.push(...lacking.map(missing))
  const offer = {
    total_amount: total ?? 0,
    currency,
    expires_at: expiresAt ?? '',
    available_quantity: body.available_quantity,
    booking_snapshot: body.booking_snapshot,
    message: body.message,
  }
  const read = readOffer(offer, [], expected)
  issues.push(...read.issues)
  return issues.length > 0 ? { issues } : { issues: [], answer: { kind: 'quoted', offers: [read.offered] } }
}

const priceFields = [
  'quoted_amount_cents',
  'currency',
  'expires_at',
  'available_quantity',
  'booking_snapshot',
] as const

function readOutcome(
  outcome: 'quoted' | 'declined' | 'requires_input',
  body: QuoteResponseCreate,
  expected: Expected,
): ReadAnswer {
  const issues = present(body, priceFields, 'belongs to an answer with decision, or to an offer')
  const offers = (body.offers ?? []).map((offer, index) => readOffer(offer, ['offers', index], expected))
  const inputs = body.required_inputs ?? []
  issues.push(...offers.flatMap((read) => read.issues))
  if (outcome === 'quoted' && offers.length === 0) issues.push(missing('offers'))
  if (outcome !== 'quoted') issues.push(...present(body, ['offers'], 'belongs to the outcome quoted'))
  if (outcome === 'requires_input' && inputs.length === 0) issues.push(missing('required_inputs'))
  if (outcome !== 'requires_input')
    issues.push(...present(body, ['required_inputs'], 'belongs to the outcome requires_input'))
  if (issues.length > 0) return { issues }
  if (outcome === 'requires_input')
    return { issues: [], answer: { kind: outcome, inputs: requiredInputsOf(inputs) } }
  if (outcome === 'declined') return { issues: [], answer: { kind: outcome, message: body.message ?? null } }
  return { issues: [], answer: { kind: outcome, offers: offers.map(({ offered }) => offered) } }
}

type Written = { [K in keyof OfferWrite]: OfferWrite[K] | undefined } & Pick<
  OfferWrite,
  'total_amount' | 'expires_at'
>

function readOffer(
  offer: Written,
  at: (string | number)[],
  { isBooking, currency }: Expected,
): { offered: Offered; issues: ValidationIssue[] } {
  const issues: ValidationIssue[] = []
  const named = offer.currency ? normalizeCurrency(offer.currency) : currency
  if (named !== currency) issues.push(wrong([...at, 'currency'], `the merchant's currency is ${currency}`))
  const snapshot = offer.booking_snapshot ?? null
  if (isBooking && snapshot === null) issues.push(missingAt([...at, 'booking_snapshot']))
  return {
    issues,
    offered: {
      loc: ['body', ...at, 'expires_at'],
      offer: {
        total_amount: offer.total_amount,
        currency: named,
        available_quantity: offer.available_quantity ?? null,
        expires_at: offer.expires_at,
        ...(snapshot === null ? {} : { booking_snapshot: snapshot }),
        message: offer.message ?? null,
      },
    },
  }
}

/** Those of the offers that would have ended before they began. */
export function endedOffers(offers: readonly Offered[], now: Date): ValidationIssue[] {
  return offers
    .filter(({ offer }) => new Date(offer.expires_at) <= now)
    .map(({ loc }) => ({ type: 'value_error', loc: [...loc], msg: 'Value error, it must be in the future' }))
}

function present(
  body: QuoteResponseCreate,
  names: readonly (keyof QuoteResponseCreate)[],
  msg: string,
): ValidationIssue[] {
  return names.filter((name) => (body[name] ?? null) !== null).map((name) => wrong([name], msg))
}

function missing(name: string): ValidationIssue {
  return missingAt([name])
}

function missingAt(at: (string | number)[]): ValidationIssue {
  return { type: 'missing', loc: ['body', ...at], msg: 'Field required' }
}

function wrong(at: (string | number)[], msg: string): ValidationIssue {
  return { type: 'value_error', loc: ['body', ...at], msg: `Value error, ${msg}` }
}
