import Type from 'typebox'
import { defineOperation, type Operation, reply } from '../../contract/operation.ts'
import { Problem } from '../../contract/problem.ts'
import { Closed } from '../../contract/schemas.ts'
import { checkEndpointUrl } from './endpoint-url.ts'
import { subscribedTypes } from './event-types.ts'
import type { Side } from './side.ts'
import { changeDestination } from './write-destination.ts'

export function updateDestination(side: Side): Operation {
  return defineOperation({
    id: `v1_update_${side.noun}`,
    method: 'POST',
    path: `${side.path}/{${side.param}}`,
    auth: 'secret',
    scope: side.scopes.write,
    tag: side.tag,
    summary: 'Change a destination',
    description:
      'Fields left out stay as they are; `event_types` and `metadata` are replaced as a whole. A new URL holds for the next attempt of ' +
      'every open delivery, new event types for events from now on.',
    params: Closed(side.params),
    body: Type.Partial(Closed(side.fields), { additionalProperties: false }),
    responses: { 200: side.destination },
    problems: [
      'not_found',
      'destination_archived',
      ...(side.audience === 'merchant' ? (['responder_conflict'] as const) : []),
    ],
    conflicts: { destinations_one_responder: 'responder_conflict' },
    async handle(ctx, { path, body }) {
      const { webhook, responds_to_quotes, event_types, ...fields } = body
      if (webhook) checkEndpointUrl(ctx, webhook.endpoint_url)
      const destination = await changeDestination(
        ctx,
        side,
        side.idIn(path),
        'destination.updated',
        (row) => {
          if (row.status === 'archived') throw new Problem('destination_archived')
          const choice = {
            audience: side.audience,
            responds_to_quotes:
              typeof responds_to_quotes === 'boolean' ? responds_to_quotes : row.responds_to_quotes,
            event_types: event_types ?? row.event_types,
          }
          return {
            ...fields,
            responds_to_quotes: choice.responds_to_quotes,
            event_types: subscribedTypes(choice),
            ...(webhook ? { endpoint_url: webhook.endpoint_url } : {}),
          }
        },
      )
      return reply(200, destination)
    },
  })
}
