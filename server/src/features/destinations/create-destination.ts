import Type from 'typebox'
import { defineOperation, reply } from '../../contract/operation.ts'
import { objectsPerAccountMax } from '../../contract/page.ts'
import { Problem } from '../../contract/problem.ts'
import { Closed } from '../../contract/schemas.ts'
import { Destination, DestinationFields, type DestinationRow, renderDestination } from './destination.ts'
import { countDestinations, insertDestination } from './destinations.sql.ts'
import { checkEndpointUrl } from './endpoint-url.ts'
import { subscribedTypes } from './event-types.ts'
import { issueSecret } from './secrets.ts'
import { writeOf, writeSubscriptions } from './write-destination.ts'

const DestinationCreate = Closed({
  ...DestinationFields,
  responds_to_quotes: Type.Optional(DestinationFields.responds_to_quotes),
  event_types: Type.Optional(DestinationFields.event_types),
  metadata: Type.Optional(DestinationFields.metadata),
})

export const createDestination = defineOperation({
  id: 'v1_create_merchant_destination',
  method: 'POST',
  path: '/v1/merchant/destinations',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Merchant destinations',
  summary: 'Connect a backend that is told of events and may answer them',
  description:
    'Deliveries are signed with `secret.secret`, which only this reply shows. Events that happen from then on are delivered, at ' +
    'least once, the first ones of each order in order.',
  body: DestinationCreate,
  responses: { 201: Destination },
  problems: ['responder_conflict', 'object_limit_reached'],
  conflicts: { destinations_one_responder: 'responder_conflict' },
  async handle(ctx, { body }) {
    checkEndpointUrl(ctx, body.webhook.endpoint_url)
    const { accountId, mode } = ctx.tenant
    const count = await ctx.reads.maybe(countDestinations({ account_id: accountId, mode }))
    if (count && count.unarchived >= objectsPerAccountMax) throw new Problem('object_limit_reached')
    const id = ctx.newId('dest')
    const respondsToQuotes = body.responds_to_quotes ?? false
    const { secret, prefix } = issueSecret(ctx, id, 1)
    const row: DestinationRow = {
      id,
      name: body.name,
      responds_to_quotes: respondsToQuotes,
      event_types: subscribedTypes({
        responds_to_quotes: respondsToQuotes,
        event_types: body.event_types ?? [],
      }),
      endpoint_url: body.webhook.endpoint_url,
      status: 'enabled',
      disabled_reason: null,
      disabled_at: null,
      archived_at: null,
      metadata: body.metadata ?? {},
      seq: 1,
      created_at: ctx.now,
      updated_at: ctx.now,
      failing_since: null,
      secret_position: 1,
      secret_prefix: prefix,
      previous_expires_at: null,
    }
    const destination = renderDestination(row, mode)
    ctx.tx.write(insertDestination(writeOf(row, ctx)))
    writeSubscriptions(ctx, null, row)
    ctx.tx.emit({ type: 'destination.created', aggregateId: id, sequence: 1, object: destination })
    return reply(201, destination, { reveal: { secret: { ...destination.secret, secret } } })
  },
})
