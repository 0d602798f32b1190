import Type from 'typebox'
import { defineOperation, reply } from '../../../contract/operation.ts'
import { Closed, Described, IdParam, Nullable, OneOf, Text } from '../../../contract/schemas.ts'
import { checkLines, LineQuantities } from './lines.ts'
import { lockOrderAsMerchant } from './lock-order-as-merchant.ts'
import { fulfillmentStatuses } from './machine.ts'
import { Order, renderOrder } from './order.ts'
import { recordFulfillment } from './record-fulfillment.ts'

export const createMerchantOrderFulfillment = defineOperation({
  id: 'v1_create_merchant_order_fulfillment',
  method: 'POST',
  path: '/v1/merchant/orders/{order_id}/fulfillments',
  auth: 'secret',
  scope: 'merchant_orders:respond',
  tag: 'Merchant orders',
  summary: 'Report a fulfillment',
  description:
    'Says how goods of an order are on their way. A tracking number the order has already, or a `fulfillment_id`, updates ' +
    'that fulfillment; otherwise a new one begins. The first one makes the order `fulfilling`. When every unit is ' +
    'delivered, or with `complete`, it is `completed`: then no new fulfillment begins, but those on their way can still be ' +
    'updated. Units of a failed or cancelled fulfillment can be sent again.',
  params: Closed({ order_id: IdParam('The order.', 'ord') }),
  body: Closed({
    fulfillment_id: Type.Optional(IdParam('The fulfillment to update, if it has no tracking number.', 'ful')),
    carrier: Type.Optional(Nullable(Text(100, { description: 'Who carries it, such as UPS.' }))),
    tracking_number: Type.Optional(
      Nullable(
        Type.String({
          minLength: 1,
          maxLength: 255,
          description:
            "The carrier's tracking number. A number the order has already updates that fulfillment.",
        }),
      ),
    ),
    tracking_url: Type.Optional(
      Nullable(
        Type.String({
          format: 'https-url',
          maxLength: 2048,
          description: 'An https URL where the buyer can follow it.',
        }),
      ),
    ),
    status: Type.Optional(OneOf(fulfillmentStatuses, { default: 'shipped', description: 'How far it is.' })),
    line_items: Type.Optional(
      Described(LineQuantities, 'Which units it holds. Default: everything that is not on its way yet.'),
    ),
    complete: Type.Optional(
      Type.Boolean({ default: false, description: 'Nothing more will be sent: the order is completed.' }),
    ),
  }),
  examples: {
    shipped: {
      summary: 'Report a parcel on its way',
      body: {
        carrier: 'UPS',
        tracking_number: '1Z999AA10123456784',
        tracking_url: 'https://www.example.com/track/1Z999AA10123456784',
        status: 'shipped',
      },
    },
    delivered: {
      summary: 'Report that the parcel has arrived',
      body: { tracking_number: '1Z999AA10123456784', status: 'delivered' },
    },
  },
  responses: { 200: Order, 201: Order },
  answers: { 200: 'An existing fulfillment was updated.', 201: 'A new fulfillment began.' },
  problems: ['not_found', 'order_not_fulfillable', 'object_limit_reached'],
  async handle(ctx, { path, body }) {
    const order = await lockOrderAsMerchant(ctx, path.order_id)
    checkLines(body.line_items, order.line_items)
    const said = {
      id: body.fulfillment_id ?? null,
      status: body.status ?? 'shipped',
      isLast: body.complete ?? false,
      ...(body.carrier === undefined ? {} : { carrier: body.carrier }),
      ...(body.tracking_number === undefined ? {} : { trackingNumber: body.tracking_number }),
      ...(body.tracking_url === undefined ? {} : { trackingUrl: body.tracking_url }),
      ...(body.line_items === undefined ? {} : { lines: body.line_items }),
    }
    const { row, isNew } = recordFulfillment(ctx, order, said)
    const shown = renderOrder(row, 'merchant')
    return isNew ? reply(201, shown) : reply(200, shown)
  },
})
