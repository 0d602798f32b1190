import Type from 'typebox'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Closed } from '../../../contract/schemas.ts'
import { Promotion, PromotionFields, type PromotionRow, renderPromotion } from './promotion.ts'
import { insertCounter, insertPromotion } from './promotions.sql.ts'
import { checkNamed, termsAfter } from './terms.ts'

const { name, ...optional } = PromotionFields

const PromotionCreate = Closed({
  name,
  ...Type.Partial(Closed(optional)).properties,
})

export const createPromotion = defineOperation({
  id: 'v1_create_promotion',
  method: 'POST',
  path: '/v1/promotions',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Promotions',
  summary: 'Create a promotion',
  description:
    'It starts as a draft, which is offered to nobody. A promotion never changes a catalog price: its discount is shown ' +
    'beside it, on the cart and on the order. Next, publish it with v1_publish_promotion.',
  body: PromotionCreate,
  examples: {
    ten_percent: {
      summary: 'Take 10 % off for a month',
      body: {
        name: 'Spring',
        currency: 'USD',
        ends_at: '2030-03-31T23:59:59Z',
        arms: [{ kind: 'percent', value: 1000, ttl_minutes: 60 }],
        caps: { total_uses: 500, uses_per_identity: 1 },
        identity: { rule: 'profile' },
      },
    },
  },
  responses: { 201: Promotion },
  problems: ['not_found', 'market_archived'],
  async handle(ctx, { body }) {
    const { accountId: account_id, mode } = ctx.tenant
    const row: PromotionRow = {
      account_id,
      mode,
      id: ctx.newId('promo'),
      name: body.name,
      status: 'draft',
      market_id: null,
      currency: null,
      starts_at: null,
      ends_at: null,
      arms: [],
      identity_rule: 'any',
      code: null,
      metadata: {},
      ...noLimits,
      due_at: null,
      seq: 1,
      created_at: ctx.now,
      updated_at: ctx.now,
      published_at: null,
      ended_at: null,
      archived_at: null,
      uses: 0,
      discount_amount: 0n,
      ...termsAfter(noLimits, body),
    }
    await checkNamed(ctx, body)
    const promotion = renderPromotion(row, ctx.now)
    ctx.tx.write(insertPromotion(row))
    ctx.tx.write(insertCounter({ account_id, mode, id: row.id }))
    ctx.tx.emit({ type: 'promotion.created', aggregateId: row.id, sequence: 1, object: promotion })
    return reply(201, promotion)
  },
})

const noLimits = {
  caps: { total_uses: null, uses_per_identity: null, budget_amount: null },
  targets: { catalog_item_ids: [], categories: [], min_subtotal_amount: null },
}
