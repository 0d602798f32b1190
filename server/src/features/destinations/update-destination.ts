import Type from 'typebox'
import { defineOperation, reply } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { Closed } from '../../contract/schemas.ts'
import { Destination, DestinationFields, DestinationParams } from './destination.ts'
import { checkEndpointUrl } from './endpoint-url.ts'
import { subscribedTypes } from './event-types.ts'
import { changeDestination } from './write-destination.ts'

export const updateDestination = defineOperation({
  id: 'v1_update_merchant_destination',
  method: 'POST',
  path: '/v1/merchant/destinations/{destination_id}',
  auth: 'secret',
  scope: 'merchant:write',
  tag: 'Merchant destinations',
  summary: 'Change a destination',
  description:
    'Fields left out stay as they are; `event_types` and `metadata` are replaced as a whole. A new URL holds for the next attempt of ' +
    'every open delivery, new event types for events from now on.',
  params: Closed(DestinationParams),
  body: Type.Partial(Closed(DestinationFields), { additionalProperties: false }),
  responses: { 200: Destination },
  problems: ['not_found', 'destination_archived', 'responder_conflict'],
  conflicts: { destinations_one_responder: 'responder_conflict' },
  async handle(ctx, { path, body }) {
    const { webhook, responds_to_quotes, event_types, ...fields } = body
    if (webhook) checkEndpointUrl(ctx, webhook.endpoint_url)
    const destination = await changeDestination(ctx, path.destination_id, 'destination.updated', (row) => {
      if (row.status === 'archived') throw new Problem('destination_archived')
      const choice = {
        responds_to_quotes: responds_to_quotes ?? row.responds_to_quotes,
        event_types: event_types ?? row.event_types,
      }
      return {
        ...fields,
        responds_to_quotes: choice.responds_to_quotes,
        event_types: subscribedTypes(choice),
        ...(webhook ? { endpoint_url: webhook.endpoint_url } : {}),
      }
    })
    return reply(200, destination)
  },
})
