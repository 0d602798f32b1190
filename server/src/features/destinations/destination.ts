import Type, { type Static, type TArray, type TSchema, type TString } from 'typebox'
import type { Mode } from '../../contract/context.ts'
import { Closed, Metadata, Named, Nullable, OneOf, objectHead, Timestamp } from '../../contract/schemas.ts'
import type { Id } from '../../core/id.ts'
import { type Audience, canRespondToOrders } from './event-types.ts'

export const destinationStatuses = ['enabled', 'disabled', 'archived'] as const
export const disabledReasons = ['requested', 'gone', 'failing'] as const

export type DestinationStatus = (typeof destinationStatuses)[number]
export type DisabledReason = (typeof disabledReasons)[number]

export function destinationSchema<T extends TSchema>(component: string, eventTypes: T) {
  return Named(
    component,
    Closed({
      ...objectHead('dest', 'destination'),
      name: Type.String(),
      responds_to_quotes: Type.Boolean(),
      event_types: eventTypes,
      webhook: Closed({ endpoint_url: Type.String() }),
      confirmed_at: Nullable(
        Type.String({
          format: 'date-time',
          description:
            'When the endpoint first answered with a 2xx. Until then it is sent `destination.test` alone; a change of the URL begins anew.',
        }),
      ),
      status: OneOf(destinationStatuses),
      disabled_reason: Nullable(
        OneOf(disabledReasons, {
          description: '`gone`: the endpoint answered 410. `failing`: nothing but failure for five days.',
        }),
      ),
      can_respond_to_orders: Type.Boolean(),
      secret: Closed({
        secret: Type.Optional(
          Type.String({ description: 'Only in the reply to create and rotate. Keep it now.' }),
        ),
        prefix: Type.String(),
        previous_expires_at: Type.Optional(Timestamp),
      }),
      metadata: Metadata,
    }),
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
  /** When the endpoint first answered with a 2xx; null until then, and again from a change of the URL on. */
  confirmed_at: Date | null
  /** How often the URL was changed: an answer confirms the endpoint that gave it. */
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
