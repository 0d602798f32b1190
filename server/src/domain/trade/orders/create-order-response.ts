import Type, { type Static } from 'typebox'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Problem, ValidationProblem } from '../../../contract/problem.ts'
import { Closed, IdParam, Nullable, OneOf, Text } from '../../../contract/schemas.ts'
import { given, not, Ruled, says, whenThen } from '../../../schema/rules.ts'
import {
  answerDigest,
  identifySignedResponse,
  recordBusinessResponse,
  signedHeaders,
} from '../../webhooks/destinations/public.ts'
import { answerOrder } from './answer-order.ts'
import { decideResponse } from './decide-response.ts'
import { Order, renderOrder } from './order.ts'
import { lockMerchantOrder } from './orders.sql.ts'

const Reference = Type.Optional(
  Nullable(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description: 'Your reference of a reservation, if you made one.',
    }),
  ),
)

const rules = {
  noConfirmation: 'leave out confirmation_reference when outcome is rejected',
  other: 'this does not match the event that you answer',
}
const outcomeRules = [
  whenThen(says('outcome', 'confirmed'), given('confirmation_reference')),
  whenThen(says('outcome', 'rejected'), not(given('confirmation_reference'))),
]

const outcomeFields = {
  event_id: Type.Optional(IdParam('The id of the order.requested event that this answers.', 'evt')),
  outcome: OneOf(['confirmed', 'rejected'], { description: 'Whether you take the order.' }),
  reservation_reference: Reference,
  confirmation_reference: Type.Optional(
    Nullable(
      Type.String({
        minLength: 1,
        maxLength: 255,
        description: 'Your own order number: needed to confirm, unique among your orders.',
      }),
    ),
  ),
  note: Type.Optional(Nullable(Text(2000, { description: 'A note to the buyer.' }))),
}
const { event_id, ...answerFields } = outcomeFields
const OrderResponseCreate = Ruled(
  Closed({
    event_id,
    event_type: Type.Optional(Type.Literal('order.requested', { description: 'The type of that event.' })),
    order_id: Type.Optional(IdParam('The order, as in the path.', 'ord')),
    ...answerFields,
  }),
  rules,
  outcomeRules,
)
/** For a tool, whose argument `order_id` is the order of the path. */
const OrderOutcomeCreate = Ruled(Closed(outcomeFields), rules, outcomeRules)
type OrderResponseCreate = Static<typeof OrderResponseCreate>

export const createOrderResponse = defineOperation({
  id: 'v1_create_order_response',
  method: 'POST',
  path: '/v1/merchant/orders/{order_id}/responses',
  auth: 'signed',
  scope: 'merchant_orders:respond',
  tag: 'Merchant orders',
  summary: 'Confirm or reject an order',
  description:
    'Confirming captures the payment; rejecting releases it. An order takes one answer, while it awaits confirmation; ' +
    'sending exactly the same answer again shows the order as it is. Next, report its shipments with ' +
    'v1_create_merchant_order_fulfillment.',
  identify: identifySignedResponse,
  signedHeaders,
  params: Closed({ order_id: IdParam('The order.', 'ord') }),
  body: OrderResponseCreate,
  toolBody: OrderOutcomeCreate,
  examples: {
    confirm: {
      summary: 'Confirm the order',
      body: { outcome: 'confirmed', confirmation_reference: 'A-1001' },
    },
    reject: { summary: 'Reject the order', body: { outcome: 'rejected', note: 'Sold out.' } },
  },
  responses: { 200: Order },
  answers: {
    401: 'Sign the answer as the destination that received order.requested, or send a secret key of the merchant.',
  },
  problems: [
    'signature_invalid',
    'response_not_authorized',
    'not_found',
    'response_conflict',
    'order_not_awaiting',
    'confirmation_reference_in_use',
  ],
  conflicts: { orders_confirmation_reference: 'confirmation_reference_in_use' },
  async handle(ctx, { path, body, rawBody }) {
    const { accountId, mode } = ctx.tenant
    checkOutcome(body)
    const row = await ctx.tx.maybe(
      lockMerchantOrder({ merchant_account_id: accountId, mode, id: path.order_id }),
    )
    if (!row) throw new Problem('not_found', { param: 'order_id' })
    const { requested_event_id: eventId, ...order } = row
    // guard answer-of-the-asked-event: an answer names the order and the event that it answers
    checkIds(body, order.id, eventId)
    const digest = answerDigest(rawBody, body)
    const decision = decideResponse(order, { outcome: body.outcome, digest }, ctx.now)
    if (!decision.ok) throw new Problem(decision.refusal)
    if (decision.value === 'repeat') return reply(200, renderOrder(order, 'merchant'))
    if (ctx.actor.type === 'destination' && eventId !== null) {
      recordBusinessResponse(ctx, { destinationId: ctx.actor.id, eventId, accepted: true })
    }
    const answered = await answerOrder(ctx, order, {
      outcome: body.outcome,
      reservationReference: body.reservation_reference ?? null,
      confirmationReference: body.confirmation_reference ?? null,
      note: body.note ?? null,
      digest,
    })
    return reply(200, renderOrder(answered, 'merchant'))
  },
})

function checkOutcome(body: OrderResponseCreate): void {
  const reference = body.confirmation_reference ?? null
  const loc = ['body', 'confirmation_reference']
  if (body.outcome === 'confirmed' && reference === null) {
    throw new ValidationProblem([{ type: 'missing', loc, msg: 'Field required' }])
  }
  if (body.outcome === 'rejected' && reference !== null) {
    throw new ValidationProblem([{ type: 'value_error', loc, msg: `Value error, ${rules.noConfirmation}` }])
  }
}

function checkIds(body: OrderResponseCreate, orderId: string, eventId: string | null): void {
  const wrong = [
    ...(body.order_id !== undefined && body.order_id !== orderId ? ['order_id'] : []),
    ...(body.event_id !== undefined && body.event_id !== eventId ? ['event_id'] : []),
  ]
  if (wrong.length === 0) return
  throw new ValidationProblem(
    wrong.map((field) => ({
      type: 'value_error',
      loc: ['body', field],
      msg: `Value error, ${rules.other}`,
    })),
  )
}
