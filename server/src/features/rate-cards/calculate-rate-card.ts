import Type, { type Static } from 'typebox'
import type { CallContext } from '../../contract/context.ts'
import { normalizeCurrency } from '../../contract/formats.ts'
import { defineOperation, reply } from '../../contract/operation.ts'
import { invalid } from '../../contract/problem.ts'
import { given, not, Ruled, whenThen } from '../../contract/rules.ts'
import {
  Closed,
  CountryCode,
  CurrencyCode,
  IdOf,
  ModeSchema,
  Named,
  Nullable,
  OneOf,
  Text,
  Timestamp,
} from '../../contract/schemas.ts'
import { amountMax, toWire } from '../../core/money.ts'
import type { Coordinates, Place } from '../../core/place.ts'
import { decideMarket } from '../markets/public.ts'
import { selectMerchantRow } from '../merchant/public.ts'
import { CalculatedItem, readCalculatedItems } from './calculated-items.ts'
import { type Choice, decideRates, measuresOf, type RateOption, type RateVerdict } from './decide-rates.ts'
import { AgenticFulfillmentType, fulfillmentTypes } from './rate-card.ts'
import { readRateFacts } from './read-rate-facts.ts'
import { skipCodes } from './skip.ts'

const rules = {
  together: 'latitude and longitude are given together',
  tooMuch: 'the order is above the largest amount',
  tooFar: 'the order is too far away',
  currency: 'neither the items nor the market nor the merchant has a currency',
}

const Address = Ruled(
  Closed(
    {
      country: CountryCode,
      state: Type.Optional(Nullable(Text(255))),
      city: Type.Optional(Nullable(Text(255))),
      postal_code: Type.Optional(Nullable(Text(32))),
      line1: Type.Optional(Nullable(Text(255))),
      line2: Type.Optional(Nullable(Text(255))),
      latitude: Type.Optional(Nullable(Type.Number({ minimum: -90, maximum: 90 }))),
      longitude: Type.Optional(Nullable(Type.Number({ minimum: -180, maximum: 180 }))),
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
    address: Type.Optional(Nullable(Address)),
    currency: Type.Optional(CurrencyCode),
    items: Type.Array(CalculatedItem, { minItems: 1, maxItems: 100 }),
    fulfillment_types: Type.Optional(
      Type.Array(AgenticFulfillmentType, {
        minItems: 1,
        maxItems: fulfillmentTypes.length,
        uniqueItems: true,
        description: 'Default: all.',
      }),
    ),
    distance_km: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 20_100,
        description: 'As you have measured it. Goes before the distance between coordinates.',
      }),
    ),
    at: Type.Optional({ ...Timestamp, description: 'When it is ordered. Default: now.' }),
  }),
  whole,
)

const ChoiceRead = Nullable(Closed({ rate_card_id: IdOf('rc'), explanation: Type.String() }))

export const RateCalculation = Named(
  'RateCalculation',
  Closed({
    object: Type.Literal('rate_calculation'),
    mode: ModeSchema,
    market: Nullable(
      Closed({
        id: IdOf('mkt'),
        code: Type.String(),
        matched_by: OneOf(['postal_prefix', 'subdivision', 'country', 'fallback']),
      }),
    ),
    currency: Type.String(),
    order_value: Type.Integer(),
    item_count: Type.Integer(),
    weight_grams: Nullable(Type.Integer()),
    options: Type.Array(
      Closed({
        rate_card_id: IdOf('rc'),
        name: Type.String(),
        provider: Nullable(Type.String()),
        fulfillment_type: AgenticFulfillmentType,
        amount: Type.Integer(),
        currency: Type.String(),
        earliest: Nullable(Timestamp),
        latest: Nullable(Timestamp),
        explanation: Type.String(),
      }),
      {
        description:
          'In this order: by amount, then by latest and earliest arrival (unknown last), then by id. So the same request has the same answer.',
      },
    ),
    selected: Closed({ cheapest: ChoiceRead, fastest: ChoiceRead }),
    skipped: Type.Array(
      Closed({
        rate_card_id: IdOf('rc'),
        name: Type.String(),
        code: OneOf(skipCodes),
        message: Type.String(),
      }),
      { description: 'The active cards that do not apply, and why.' },
    ),
  }),
)

export const calculateRateCard = defineOperation({
  id: 'v1_calculate_rate_card',
  method: 'POST',
  path: '/v1/rate_cards/calculate',
  auth: 'secret',
  scope: 'merchant:read',
  tag: 'Rate cards',
  summary: 'Say what a buyer at an address would pay for delivery',
  description:
    'Goes by your active rate cards, as purchases do. Answers every card that applies, which of them is cheapest and which fastest, and ' +
    'why the others do not apply. A card counts those of the items that go its way, as a purchase does, and where an order goes several ' +
    "ways their fees add up. Without `currency`: that of the variants, of the address's market, or of the merchant record. " +
    'Stores nothing.',
  readOnly: true,
  body: Calculate,
  responses: { 200: RateCalculation },
  problems: ['not_found'],
  async handle(ctx, { body }) {
    const { place, coordinates } = whereOf(body.address ?? null)
    const { accountId: account_id, mode } = ctx.tenant
    const [facts, merchant, variants] = await Promise.all([
      readRateFacts(ctx.reads, ctx.tenant, place),
      ctx.reads.maybe(selectMerchantRow({ account_id, mode })),
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

/** What arrives years later still has to be a date that RFC 3339 can write. */
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
