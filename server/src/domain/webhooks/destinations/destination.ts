import Type, { type Static, type TArray, type TSchema, type TString } from 'typebox'
import type { Mode } from '../../../contract/context.ts'
import type { Audience } from '../../../contract/event.ts'
import { At, Closed, Metadata, Named, Nullable, OneOf, objectHead } from '../../../contract/schemas.ts'
import type { Id } from '../../../core/id.ts'
import { canRespondToOrders } from './event-types.ts'

const destinationStatuses = ['enabled', 'disabled', 'archived'] as const
const disabledReasons = ['requested', 'gone', 'failing'] as const

export type DestinationStatus = (typeof destinationStatuses)[number]
export type DisabledReason = (typeof disabledReasons)[number]

export function destinationSchema<T extends TSchema>(component: string, eventTypes: T) {
  return Named(
    component,
    Closed(
      {
        ...objectHead('dest', 'destination'),
        name: Type.String({ description: 'A name for people.' }),
        responds_to_quotes: Type.Boolean({ description: 'Whether it is the designated quote responder.' }),
        event_types: eventTypes,
        webhook: Closed(
          { endpoint_url: Type.String({ description: 'The URL that events are sent to.' }) },
          { description: 'Where events are sent.' },
        ),
        confirmed_at: Nullable(
          Type.String({
            format: 'date-time',
            description:
              'When the endpoint first answered with a 2xx; null until then, and then it gets only `destination.test`.',
          }),
        ),
        status: OneOf(destinationStatuses, { description: 'Whether events are delivered to it.' }),
        disabled_reason: Nullable(
          OneOf(disabledReasons, {
            description:
              'Why it is disabled. `requested`: by you. `gone`: the endpoint answered 410. `failing`: every attempt failed for five days.',
          }),
        ),
        can_respond_to_orders: Type.Boolean({
          description:
            'Whether it may answer orders: it subscribes to order.requested, order.confirmed and order.rejected.',
        }),
        secret: Closed(
          {
            secret: Type.Optional(
              Type.String({
                description: 'The secret, shown only when it is created or rotated. Store it now.',
              }),
            ),
            prefix: Type.String({ description: 'The beginning of the secret, to tell secrets apart.' }),
            previous_expires_at: Type.Optional(At('Until when the previous secret is valid too.')),
          },
          { description: 'The secret that signs deliveries.' },
        ),
        metadata: Metadata,
      },
      { description: 'A webhook endpoint that events are delivered to.' },
    ),
  )
}
export type Destination = Static<ReturnType<typeof destinationSchema<TArray<TString>>>>

export type DestinationRow = {
  audience: Audience
  id: Id<'dest'>
  name: string
  responds_to_quotes: boolean
  event_types: string[]
  endpoint_url: string
  status: DestinationStatus
  disabled_reason: DisabledReason | null
  disabled_at: Date | null
  archived_at: Date | null
  metadata: Record<string, string>
  seq: number
  created_at: Date
  updated_at: Date
  failing_since: Date | null
  /** When the endpoint first answered with a 2xx; null until then, and again after a change of the URL. */
  confirmed_at: Date | null
  /** How often the URL was changed: an answer confirms only the endpoint that gave it. */
  endpoint_changes: number
  secret_position: number
  secret_prefix: string
  /** Until when the secret before the last rotation signs too; null when it no longer does. */
  previous_expires_at: Date | null
}

export function renderDestination(row: DestinationRow, mode: Mode): Destination {
  return {
    id: row.id,
    object: 'destination',
    mode,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    name: row.name,
    responds_to_quotes: row.responds_to_quotes,
    event_types: row.event_types,
    webhook: { endpoint_url: row.endpoint_url },
    confirmed_at: row.confirmed_at?.toISOString() ?? null,
    status: row.status,
    disabled_reason: row.disabled_reason,
    can_respond_to_orders: canRespondToOrders(row),
    secret: {
      prefix: row.secret_prefix,
      ...(row.previous_expires_at ? { previous_expires_at: row.previous_expires_at.toISOString() } : {}),
    },
    metadata: row.metadata,
  }
}
