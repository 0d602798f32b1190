import Type, { type Static } from 'typebox'
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
} from '../../../contract/schemas.ts'
import { normalizeCurrency } from '../../../schema/formats.ts'
import { filled, given, not, Ruled, says, some, whenThen } from '../../../schema/rules.ts'
import type { ValidationIssue } from '../../../schema/value-faults.ts'
import {
  type RequiredInput,
  RequiredInputWrite,
  requiredInputsMax,
  requiredInputsOf,
} from '../../selling/catalog/public.ts'
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
const Quantity = Type.Integer({
  minimum: 0,
  maximum: 1_000_000_000,
  description: 'How many units you have.',
})
const Snapshot = Type.Optional(
  Nullable(Described(BookingSnapshot, 'What is booked, as the buyer sees it; required for bookings.')),
)
const Total = Amount('What it costs in all, with fulfillment and tax, in minor units (1999 is $19.99).')

export const answeredRules = { other: 'this does not match the event that you answer' }

const answered = {
  event_id: Ruled(IdParam('The id of the quote.requested event that this answers.', 'evt'), answeredRules),
  event_type: Type.Literal('quote.requested', { description: 'The type of that event.' }),
  quote_id: Ruled(IdParam('The quote, as in the path.', 'quo'), answeredRules),
}

/** The rules for an answer beyond its schema. */
const rules = {
  currency: 'the currency must be {currency}, as in the merchant record',
  booking: 'an offer for a booking needs `booking_snapshot`',
  future: 'expires_at must be in the future',
}
const outcomeRules = { outcome: 'this is only for the outcome {outcome}' }

/** The body that a destination signs. */
export const SignedQuoteResponse = Named(
  'SignedQuoteResponse',
  Type.Union([
    Named(
      'SignedQuoteAcceptance',
      Ruled(
        Closed({
          ...answered,
          decision: Type.Literal('accepted', { description: 'You offer a price.' }),
          quoted_amount_cents: Total,
          currency: Described(CurrencyCode, 'ISO 4217 code of that amount.'),
          expires_at: At('Until when the price can be accepted, in the future.'),
          available_quantity: Quantity,
          message: Message,
          booking_snapshot: Snapshot,
        }),
        rules,
      ),
    ),
    Named(
      'SignedQuoteDecline',
      Closed(
        {
          ...answered,
          decision: Type.Literal('declined', { description: 'You offer no price.' }),
          message: Message,
        },
        { description: 'Without price, expiry, quantity and booking.' },
      ),
    ),
  ]),
)
export type SignedQuoteResponse = Static<typeof SignedQuoteResponse>

const OfferWrite = Ruled(
  Closed({
    total_amount: Total,
    currency: Type.Optional(
      Nullable(Described(CurrencyCode, "ISO 4217 code of that amount. Default: the merchant's currency.")),
    ),
    available_quantity: Type.Optional(Nullable(Quantity)),
    expires_at: At('Until when the offer can be accepted, in the future.'),
    booking_snapshot: Snapshot,
    message: Message,
  }),
  rules,
)

/** The body that a merchant sends with its API key. */
export const QuoteResponseCreate = Named(
  'QuoteResponseCreate',
  Ruled(
    Closed(
      {
        event_id: Type.Optional(answered.event_id),
        outcome: OneOf(['quoted', 'declined', 'requires_input'], {
          description: 'Whether you offer prices, decline, or need inputs first.',
        }),
        offers: Type.Optional(
          Type.Array(OfferWrite, { maxItems: 10, description: 'With `quoted`: the offers.' }),
        ),
        required_inputs: Type.Optional(
          Type.Array(RequiredInputWrite, {
            maxItems: requiredInputsMax,
            description: 'With `requires_input`: what the buyer must tell you first.',
          }),
        ),
        message: Message,
      },
      {
        description:
          '`quoted` needs `offers`, `requires_input` needs `required_inputs`; neither comes with another outcome.',
      },
    ),
    outcomeRules,
    [
      whenThen(says('outcome', 'quoted'), some('offers')),
      whenThen(not(says('outcome', 'quoted')), not(given('offers', 'array'))),
      whenThen(says('outcome', 'requires_input'), some('required_inputs')),
      whenThen(not(says('outcome', 'requires_input')), not(given('required_inputs', 'array'))),
    ],
  ),
)
export type QuoteResponseCreate = Static<typeof QuoteResponseCreate>

type OfferWrite = Static<typeof OfferWrite>

/** An offer that has no id yet, and its place in the request. */
type Offered = { readonly offer: Omit<QuoteOffer, 'id'>; readonly loc: readonly (string | number)[] }

export type Answer =
  | { kind: 'quoted'; offers: Offered[] }
  | { kind: 'declined'; message: string | null }
  | { kind: 'requires_input'; inputs: RequiredInput[] }

type ReadAnswer = { answer: Answer; issues: readonly [] } | { issues: readonly ValidationIssue[] }

/** What the quote requires of its answer. */
type Expected = { readonly isBooking: boolean; readonly currency: string }

/** The answer, or everything that is wrong with it; its times are checked elsewhere. */
export function readAnswer(body: SignedQuoteResponse | QuoteResponseCreate, expected: Expected): ReadAnswer {
  return 'decision' in body ? readSigned(body, expected) : readOutcome(body, expected)
}

function readSigned(body: SignedQuoteResponse, expected: Expected): ReadAnswer {
  if (body.decision === 'declined')
    return { issues: [], answer: { kind: 'declined', message: body.message ?? null } }
  const { issues, offered } = readOffer({ ...body, total_amount: body.quoted_amount_cents }, [], expected)
  return issues.length > 0 ? { issues } : { issues: [], answer: { kind: 'quoted', offers: [offered] } }
}

function readOutcome(body: QuoteResponseCreate, expected: Expected): ReadAnswer {
  const { outcome } = body
  const offers = (body.offers ?? []).map((offer, index) => readOffer(offer, ['offers', index], expected))
  const inputs = body.required_inputs ?? []
  const issues = offers.flatMap((read) => read.issues)
  if (outcome === 'quoted' && offers.length === 0) issues.push(missing('offers'))
  if (outcome !== 'quoted') issues.push(...present(body, 'offers', 'quoted'))
  if (outcome === 'requires_input' && inputs.length === 0) issues.push(missing('required_inputs'))
  if (outcome !== 'requires_input') issues.push(...present(body, 'required_inputs', 'requires_input'))
  if (issues.length > 0) return { issues }
  if (outcome === 'requires_input')
    return { issues: [], answer: { kind: outcome, inputs: requiredInputsOf(inputs) } }
  if (outcome === 'declined') return { issues: [], answer: { kind: outcome, message: body.message ?? null } }
  return { issues: [], answer: { kind: outcome, offers: offers.map(({ offered }) => offered) } }
}

function readOffer(
  offer: OfferWrite,
  at: (string | number)[],
  { isBooking, currency }: Expected,
): { offered: Offered; issues: ValidationIssue[] } {
  const issues: ValidationIssue[] = []
  const named = offer.currency ? normalizeCurrency(offer.currency) : currency
  if (named !== currency) issues.push(wrong([...at, 'currency'], filled(rules.currency, { currency })))
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

/** The offers that would have ended before they began. */
export function endedOffers(offers: readonly Offered[], now: Date): ValidationIssue[] {
  return offers
    .filter(({ offer }) => new Date(offer.expires_at) <= now)
    .map(({ loc }) => ({ type: 'value_error', loc: [...loc], msg: `Value error, ${rules.future}` }))
}

function present(
  body: QuoteResponseCreate,
  name: 'offers' | 'required_inputs',
  outcome: string,
): ValidationIssue[] {
  return body[name] === undefined ? [] : [wrong([name], filled(outcomeRules.outcome, { outcome }))]
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
