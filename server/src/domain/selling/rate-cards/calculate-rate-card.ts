import Type, { type Static } from 'typebox'
import type { CallContext } from '../../../contract/context.ts'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { invalid } from '../../../contract/problem.ts'
import {
  At,
  Closed,
  CountryCode,
  CurrencyCode,
  Described,
  IdOf,
  ModeSchema,
  Named,
  Nullable,
  OneOf,
  Text,
} from '../../../contract/schemas.ts'
import { amountMax, toWire } from '../../../core/money.ts'
import type { Coordinates, Place } from '../../../core/place.ts'
import { normalizeCurrency } from '../../../schema/formats.ts'
import { given, not, Ruled, whenThen } from '../../../schema/rules.ts'
import { decideMarket } from '../markets/public.ts'
import { readMerchant } from '../merchant/public.ts'
import { CalculatedItem, readCalculatedItems } from './calculated-items.ts'
import { type Choice, decideRates, measuresOf, type RateOption, type RateVerdict } from './decide-rates.ts'
import { AgenticFulfillmentType, fulfillmentTypes } from './rate-card.ts'
import { readRateFacts } from './read-rate-facts.ts'
import { skipCodes } from './skip.ts'

const rules = {
  together: 'latitude and longitude must be sent together',
  tooMuch: 'the total of the items is above the largest amount',
  tooFar: 'at must be before the year 9001',
  currency: 'send a currency: neither the items nor the market nor the merchant has one',
}

const Address = Ruled(
  Closed(
    {
      country: Described(CountryCode, 'ISO 3166-1 alpha-2 country code, such as US.'),
      state: Type.Optional(Nullable(Text(255, { description: 'State, province or region, such as CA.' }))),
      city: Type.Optional(Nullable(Text(255, { description: 'City.' }))),
      postal_code: Type.Optional(Nullable(Text(32, { description: 'Postal code.' }))),
      line1: Type.Optional(Nullable(Text(255, { description: 'Street and number.' }))),
      line2: Type.Optional(Nullable(Text(255, { description: 'Apartment, floor or other addition.' }))),
      latitude: Type.Optional(
        Nullable(
          Type.Number({
            minimum: -90,
            maximum: 90,
            description: 'Latitude in degrees, for rates by distance.',
          }),
        ),
      ),
      longitude: Type.Optional(
        Nullable(
          Type.Number({
            minimum: -180,
            maximum: 180,
            description: 'Longitude in degrees, for rates by distance.',
          }),
        ),
      ),
    },
    { description: 'Where it goes to. With latitude and longitude, distances are measured.' },
  ),
  { together: rules.together },
  [
    whenThen(given('latitude', 'number'), given('longitude', 'number')),
    whenThen(not(given('latitude', 'number')), not(given('longitude', 'number'))),
  ],
)

const { together: _, ...whole } = rules

const Calculate = Ruled(
  Closed({
    address: Type.Optional(Nullable(Described(Address, 'Where the goods go.'))),
    currency: Type.Optional(Described(CurrencyCode, 'ISO 4217 code of the purchase, such as USD.')),
    items: Type.Array(CalculatedItem, { minItems: 1, maxItems: 100, description: 'What is bought.' }),
    fulfillment_types: Type.Optional(
      Type.Array(AgenticFulfillmentType, {
        minItems: 1,
        maxItems: fulfillmentTypes.length,
        uniqueItems: true,
        description: 'Only these ways of fulfillment. Default: all.',
      }),
    ),
    distance_km: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 20_100,
        description:
          'The distance in kilometers, as you measured it. It goes before the distance between coordinates.',
      }),
    ),
    at: Type.Optional(At('When it is ordered. Default: now.')),
  }),
  whole,
)

const ChoiceRead = Nullable(
  Closed({
    rate_card_id: IdOf('rc', 'The rate card.'),
    explanation: Type.String({ description: 'How it comes about, in a sentence.' }),
  }),
)

const RateCalculation = Named(
  'RateCalculation',
  Closed(
    {
      object: Type.Literal('rate_calculation', { description: 'The type of this object.' }),
      mode: ModeSchema,
      market: Nullable(
        Closed(
          {
            id: IdOf('mkt', 'The id of the market.'),
            code: Type.String({ description: 'Your own short name of it.' }),
            matched_by: OneOf(['postal_prefix', 'subdivision', 'country', 'fallback'], {
              description: 'What put the address into the market.',
            }),
          },
          { description: 'The market of the address; null if it is in none.' },
        ),
      ),
      currency: Type.String({ description: 'ISO 4217 code of all amounts.' }),
      order_value: Type.Integer({
        description:
          'What all items cost together, before tax and fulfillment, in minor units (1999 is $19.99).',
      }),
      item_count: Type.Integer({ description: 'How many units there are in all.' }),
      weight_grams: Nullable(
        Type.Integer({ description: 'What all items weigh together, in grams; null if it is not known.' }),
      ),
      options: Type.Array(
        Closed({
          rate_card_id: IdOf('rc', 'The rate card.'),
          name: Type.String({ description: 'The name of the card.' }),
          provider: Nullable(Type.String({ description: 'Who delivers; null if the card does not say.' })),
          fulfillment_type: Described(AgenticFulfillmentType, 'The way of fulfillment.'),
          amount: Type.Integer({
            description: 'What fulfillment costs in all, in minor units (1999 is $19.99).',
          }),
          currency: Type.String({ description: 'ISO 4217 code of that amount.' }),
          earliest: Nullable(At('When it arrives at the earliest; null if it is not known.')),
          latest: Nullable(At('When it arrives at the latest; null if it is not known.')),
          explanation: Type.String({ description: 'How the amount comes about, in a sentence.' }),
        }),
        {
          description:
            'Every card that applies, the cheapest first; at the same amount, the one that arrives first.',
        },
      ),
      selected: Closed(
        {
          cheapest: Described(ChoiceRead, 'The cheapest option; null if no card applies.'),
          fastest: Described(ChoiceRead, 'The fastest option; null if no card says how long it takes.'),
        },
        { description: 'The best options.' },
      ),
      skipped: Type.Array(
        Closed({
          rate_card_id: IdOf('rc', 'The rate card.'),
          name: Type.String({ description: 'The name of the card.' }),
          code: OneOf(skipCodes, { description: 'Why it does not apply.' }),
          message: Type.String({ description: 'Why it does not apply, in a sentence.' }),
        }),
        { description: 'The active cards that do not apply, and why.' },
      ),
    },
    { description: 'What fulfillment would cost, card by card.' },
  ),
)

export const calculateRateCard = defineOperation({
  id: 'v1_calculate_rate_card',
  method: 'POST',
  path: '/v1/rate_cards/calculate',
  auth: 'secret',
  scope: 'merchant:read',
  tag: 'Rate cards',
  summary: 'Calculate what fulfillment costs',
  description:
    'Applies your active rate cards as a purchase would. Shows every card that applies to the items and the address, the ' +
    'cheapest, the fastest, and why the other cards do not apply. A card charges for the items that go its way; when an ' +
    'order goes several ways, their fees add up. Without `currency`, the currency of the variants is used, else that of ' +
    "the address's market, else that of the merchant record. Nothing is stored.",
  readOnly: true,
  body: Calculate,
  examples: {
    two_mugs: {
      summary: 'Calculate what two mugs cost to ship',
      body: {
        address: { country: 'US', state: 'IL', city: 'Chicago', postal_code: '60606' },
        currency: 'USD',
        items: [{ quantity: 2, amount: 1999, weight_grams: 400 }],
      },
    },
  },
  responses: { 200: RateCalculation },
  problems: ['not_found'],
  async handle(ctx, { body }) {
    const { place, coordinates } = whereOf(body.address ?? null)
    const [facts, merchant, variants] = await Promise.all([
      readRateFacts(ctx.reads, ctx.tenant, place),
      readMerchant(ctx.reads, ctx.tenant),
      readCalculatedItems(ctx, body.items),
    ])
    const market = decideMarket(facts.markets, place)?.market
    const currency = currencyOf(body.currency, [variants.currency, market?.currency, merchant?.currency])
    const items = variants.itemsIn(currency)
    const shipment = {
      items,
      currency,
      place,
      coordinates,
      distanceKm: body.distance_km ?? null,
      types: body.fulfillment_types ?? null,
      at: body.at === undefined ? ctx.now : orderedAt(body.at),
    }
    const measures = measuresOf(shipment, null)
    if (measures.orderValue > amountMax) throw invalid(['body', 'items'], rules.tooMuch)
    return reply(200, render(ctx, { verdict: decideRates(facts, shipment), currency, measures }))
  },
})

function whereOf(address: Static<typeof Address> | null): {
  place: Place | null
  coordinates: Coordinates | null
} {
  if (address === null) return { place: null, coordinates: null }
  const { country, state = null, city = null, postal_code: postalCode = null } = address
  const { latitude = null, longitude = null } = address
  if ((latitude === null) !== (longitude === null)) {
    const missing = latitude === null ? 'latitude' : 'longitude'
    throw invalid(['body', 'address', missing], rules.together)
  }
  return {
    place: { country, state, city, postalCode },
    coordinates: latitude === null || longitude === null ? null : { latitude, longitude },
  }
}

/** The time of arrival, even years later, must still be a date that RFC 3339 can write. */
function orderedAt(written: string): Date {
  const at = new Date(written)
  if (at.getUTCFullYear() > 9000) throw invalid(['body', 'at'], rules.tooFar)
  return at
}

function currencyOf(asked: string | undefined, known: readonly (string | null | undefined)[]): string {
  const currency = asked === undefined ? known.find((each) => each) : normalizeCurrency(asked)
  if (!currency) throw invalid(['body', 'currency'], rules.currency)
  return currency
}

type Calculated = {
  verdict: RateVerdict
  currency: string
  measures: ReturnType<typeof measuresOf>
}

function render(
  { tenant }: Pick<CallContext, 'tenant'>,
  { verdict, currency, measures }: Calculated,
): Static<typeof RateCalculation> {
  const { market, options, cheapest, fastest, skipped } = verdict
  return {
    object: 'rate_calculation',
    mode: tenant.mode,
    market: market && { id: market.market.id, code: market.market.code, matched_by: market.matchedBy },
    currency,
    order_value: toWire(measures.orderValue),
    item_count: measures.itemCount,
    weight_grams: measures.weightGrams,
    options: options.map(renderOption),
    selected: { cheapest: renderChoice(cheapest), fastest: renderChoice(fastest) },
    skipped: skipped.map(({ card, code, message }) => ({
      rate_card_id: card.id,
      name: card.name,
      code,
      message,
    })),
  }
}

function renderOption({ card, amount, estimate, explanation }: RateOption) {
  return {
    rate_card_id: card.id,
    name: card.name,
    provider: card.provider,
    fulfillment_type: card.fulfillment_type,
    amount: toWire(amount),
    currency: card.currency,
    earliest: estimate?.earliest.toISOString() ?? null,
    latest: estimate?.latest.toISOString() ?? null,
    explanation,
  }
}

function renderChoice(choice: Choice | null) {
  return choice && { rate_card_id: choice.option.card.id, explanation: choice.explanation }
}
