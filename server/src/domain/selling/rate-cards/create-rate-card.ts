import Type from 'typebox'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Closed } from '../../../contract/schemas.ts'
import { RateCard, RateCardFields, type RateCardRow } from './rate-card.ts'
import { addRateCard, requireRoom, writtenFields } from './write-rate-card.ts'

const { name, fulfillment_type, currency, rate, ...optional } = RateCardFields

const RateCardCreate = Closed({
  name,
  fulfillment_type,
  currency,
  rate,
  ...Type.Partial(Closed(optional)).properties,
})

export const createRateCard = defineOperation({
  id: 'v1_create_rate_card',
  method: 'POST',
  path: '/v1/rate_cards',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Rate cards',
  summary: 'Create a rate card',
  description:
    'A rate card says what one way of fulfillment costs. A new card is a draft unless `status` says otherwise; only active ' +
    'cards count. As soon as a merchant has an active card, its cards alone set the fees, and what no card covers cannot ' +
    'be bought. Check the result with v1_calculate_rate_card.',
  body: RateCardCreate,
  examples: {
    parcel: {
      summary: 'Charge $4.95, and nothing from $50.00 on',
      body: {
        name: 'Parcel',
        fulfillment_type: 'shipping',
        currency: 'USD',
        rate: { kind: 'free_above', threshold_amount: 5000, otherwise: { kind: 'flat', amount: 495 } },
        timing: { transit: { min: 2, max: 4, unit: 'business_day' } },
        zones: [{ country: 'US' }],
        status: 'active',
      },
    },
    by_weight: {
      summary: 'Charge by weight',
      body: {
        name: 'By weight',
        fulfillment_type: 'shipping',
        currency: 'USD',
        rate: { kind: 'tiered', basis: 'weight', tiers: [{ up_to: 1000, amount: 495 }, { amount: 995 }] },
      },
    },
  },
  responses: { 201: RateCard },
  problems: ['not_found', 'market_archived', 'location_archived', 'object_limit_reached'],
  async handle(ctx, { body }) {
    const blank: RateCardRow = {
      id: ctx.newId('rc'),
      name: body.name,
      fulfillment_type: body.fulfillment_type,
      provider: null,
      currency: body.currency,
      market_ids: [],
      timing: {},
      rate: body.rate,
      zones: [],
      labels: [],
      location_ids: [],
      status: 'draft',
      metadata: {},
      seq: 1,
      created_at: ctx.now,
      updated_at: ctx.now,
      archived_at: null,
    }
    const row = { ...blank, ...(await writtenFields(ctx, body)) }
    await requireRoom(ctx, row)
    return reply(201, addRateCard(ctx, row, 'rate_card.created'))
  },
})
