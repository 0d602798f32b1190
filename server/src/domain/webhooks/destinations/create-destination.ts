import Type from 'typebox'
import { confirmRequest } from '../../../contract/confirm-request.ts'
import { defineOperation, type Operation, reply } from '../../../contract/operation.ts'
import { objectsPerAccountMax } from '../../../contract/page.ts'
import { Problem } from '../../../contract/problem.ts'
import { Closed } from '../../../contract/schemas.ts'
import { type DestinationRow, renderDestination } from './destination.ts'
import { countDestinations, insertDestination } from './destinations.sql.ts'
import { checkEndpointUrl } from './endpoint-url.ts'
import { subscribedTypes } from './event-types.ts'
import { queueTest, storeSecretSeconds } from './queue-test.ts'
import { issueSecret } from './secrets.ts'
import type { Side } from './side.ts'
import { writeOf, writeSubscriptions } from './write-destination.ts'

export function createDestination(side: Side): Operation {
  const isMerchant = side.audience === 'merchant'
  const { responds_to_quotes, event_types, metadata } = side.fields
  return defineOperation({
    id: `v1_create_${side.noun}`,
    method: 'POST',
    path: side.path,
    auth: 'secret',
    scope: side.scopes.write,
    tag: side.tag,
    summary: `Create ${side.one}`,
    description:
      `${isMerchant ? 'Connects a backend that is notified of orders and quote requests, and may answer them' : 'Connects a backend that is notified of purchases, orders and quotes'}. ` +
      'Deliveries are signed with `secret.secret`, which only this answer shows. Events from now on are delivered at least once; those ' +
      `of one ${isMerchant ? 'order' : 'purchase, order or quote'} are first sent in their order. Before anything else, the endpoint gets ` +
      '`destination.test` and confirms itself by accepting it; until then deliveries wait.',
    body: Closed({
      ...side.fields,
      ...(responds_to_quotes ? { responds_to_quotes: Type.Optional(responds_to_quotes) } : {}),
      event_types: Type.Optional(event_types),
      metadata: Type.Optional(metadata),
    }),
    responses: { 201: side.destination },
    problems: [...(isMerchant ? (['responder_conflict'] as const) : []), 'object_limit_reached'],
    conflicts: { destinations_one_responder: 'responder_conflict' },
    confirms: confirmRequest('destination_created'),
    async handle(ctx, { body }) {
      checkEndpointUrl(ctx, body.webhook.endpoint_url)
      const { accountId, mode } = ctx.tenant
      const count = await ctx.reads.maybe(
        countDestinations({ account_id: accountId, mode, audience: side.audience }),
      )
      if (count && count.unarchived >= objectsPerAccountMax) throw new Problem('object_limit_reached')
      const id = ctx.newId('dest')
      const respondsToQuotes = body.responds_to_quotes === true
      const { secret, prefix } = issueSecret(ctx, id, 1)
      const row: DestinationRow = {
        audience: side.audience,
        id,
        name: body.name,
        responds_to_quotes: respondsToQuotes,
        event_types: subscribedTypes(
          {
            audience: side.audience,
            responds_to_quotes: respondsToQuotes,
            event_types: body.event_types ?? [],
          },
          side.events,
        ),
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
        confirmed_at: null,
        endpoint_changes: 0,
        secret_position: 1,
        secret_prefix: prefix,
        previous_expires_at: null,
      }
      const destination = renderDestination(row, mode)
      ctx.tx.write(insertDestination(writeOf(row, ctx)))
      writeSubscriptions(ctx, null, row)
      ctx.tx.emit({ type: 'destination.created', aggregateId: id, sequence: 1, object: destination })
      queueTest(ctx, row, { dueAt: new Date(ctx.now.getTime() + storeSecretSeconds * 1000) })
      return reply(201, destination, { reveal: { secret: { ...destination.secret, secret } } })
    },
  })
}
