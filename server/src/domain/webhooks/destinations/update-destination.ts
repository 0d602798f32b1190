import { confirmRequest } from '../../../contract/confirm-request.ts'
import { defineOperation, type Operation, reply } from '../../../contract/operation.ts'
import { Problem } from '../../../contract/problem.ts'
import { Changes, Closed } from '../../../contract/schemas.ts'
import { confirmAnew, movedTo } from './confirm-endpoint.ts'
import { renderDestination } from './destination.ts'
import { checkEndpointUrl } from './endpoint-url.ts'
import { subscribedTypes } from './event-types.ts'
import type { Side } from './side.ts'
import { lockDestination, writeChange } from './write-destination.ts'

export function updateDestination(side: Side): Operation {
  return defineOperation({
    id: `v1_update_${side.noun}`,
    method: 'POST',
    path: `${side.path}/{${side.param}}`,
    auth: 'secret',
    scope: side.scopes.write,
    tag: side.tag,
    summary: `Update ${side.one}`,
    description:
      'Fields you leave out stay as they are; `event_types` and `metadata` are replaced as a whole. A new URL applies from the next attempt of ' +
      'every open delivery, new event types to events from now on. A new endpoint gets `destination.test` and must confirm itself; until then ' +
      'deliveries wait.',
    params: Closed(side.params),
    body: Changes(side.fields),
    responses: { 200: side.destination },
    problems: [
      'not_found',
      'destination_archived',
      ...(side.audience === 'merchant' ? (['responder_conflict'] as const) : []),
    ],
    conflicts: { destinations_one_responder: 'responder_conflict' },
    confirms: confirmRequest('destination_changed'),
    async handle(ctx, { path, body }) {
      const { webhook, responds_to_quotes, event_types, ...fields } = body
      if (webhook) checkEndpointUrl(ctx, webhook.endpoint_url)
      const row = await lockDestination(ctx, side, side.idIn(path))
      if (!row) throw new Problem('not_found', { param: side.param })
      if (row.status === 'archived') throw new Problem('destination_archived')
      const choice = {
        audience: side.audience,
        responds_to_quotes:
          typeof responds_to_quotes === 'boolean' ? responds_to_quotes : row.responds_to_quotes,
        event_types: event_types ?? row.event_types,
      }
      const isMoved = webhook !== undefined && webhook.endpoint_url !== row.endpoint_url
      const changed = writeChange(ctx, row, 'destination.updated', {
        ...fields,
        responds_to_quotes: choice.responds_to_quotes,
        event_types: subscribedTypes(choice, side.events),
        ...(isMoved ? movedTo(webhook.endpoint_url, row) : {}),
      })
      if (isMoved) confirmAnew(ctx, changed)
      return reply(200, renderDestination(changed, ctx.tenant.mode))
    },
  })
}
