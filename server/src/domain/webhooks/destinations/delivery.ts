import Type, { type Static } from 'typebox'
import type { CallContext } from '../../../contract/context.ts'
import { At, Closed, IdOf, IdParam, Named, Nullable, OneOf, objectHead } from '../../../contract/schemas.ts'
import type { Id } from '../../../core/id.ts'
import type { DestinationStatus } from './destination.ts'

/** The kind of work that attempts deliveries. */
export const deliveryWork = 'deliveries'

const deliveryStatuses = ['pending', 'succeeded', 'failed', 'exhausted'] as const
type DeliveryStatus = (typeof deliveryStatuses)[number]

export const deliveryParams = { event_id: IdParam('The event.', 'evt') }

export function deliverySchema(component: string) {
  return Named(
    component,
    Closed(
      {
        ...objectHead('dlv', 'delivery'),
        destination_id: IdOf('dest', 'The destination.'),
        event_id: IdOf('evt', 'The event; redelivery keeps its id.'),
        event_type: Type.String({ description: 'The type of the event.' }),
        status: OneOf(deliveryStatuses, {
          description:
            '`pending`: to be attempted, once the endpoint has confirmed. `failed`: the last attempt failed and another follows. `exhausted`: none follows by itself.',
        }),
        attempts: Type.Array(
          Closed({
            at: At('When it was sent.'),
            http_status: Nullable(
              Type.Integer({
                description: 'The HTTP status the endpoint answered; null if there was no answer.',
              }),
            ),
            latency_ms: Type.Integer({
              minimum: 0,
              description: 'How long the endpoint took, in milliseconds.',
            }),
            error: Nullable(
              Type.String({
                description: 'Why no answer counted, such as `timeout` or `redirect`; null if one did.',
              }),
            ),
            response_excerpt: Nullable(
              Type.String({
                description:
                  'The first kilobyte of the answer. In test mode, where this installation lets endpoints be on its own machine, only a full key sees it.',
              }),
            ),
          }),
          { description: 'Oldest first; the last 100.' },
        ),
        next_attempt_at: Nullable(
          Type.String({
            format: 'date-time',
            description:
              'When it is sent next. Null if never, while the destination is disabled, and until its endpoint has confirmed itself.',
          }),
        ),
        business_response: Nullable(
          Closed(
            {
              received_at: At('When the answer came.'),
              accepted: Type.Boolean({ description: 'Whether the answer was accepted.' }),
            },
            { description: 'The answer the backend sent to the event; null if none.' },
          ),
        ),
      },
      { description: 'An event on its way to a destination.' },
    ),
  )
}
export type Delivery = Static<ReturnType<typeof deliverySchema>>

/** An attempt as the database aggregates it; its time is text. */
type AttemptJson = {
  at: string
  http_status: number | null
  latency_ms: number
  error: string | null
  response_excerpt: string | null
}

export type DeliveryRow = {
  id: Id<'dlv'>
  destination_id: Id<'dest'>
  destination_status: DestinationStatus
  event_id: Id<'evt'>
  event_type: string
  status: DeliveryStatus
  attempt_count: number
  due_at: Date | null
  /** Whether an attempt is under way. */
  leased: boolean
  response_received_at: Date | null
  response_accepted: boolean | null
  seq: number
  created_at: Date
  updated_at: Date
  attempts: AttemptJson[]
}

type Reader = Pick<CallContext, 'tenant' | 'scopes' | 'settings'>

/** A delivery with what this key may see. */
export function renderDelivery(row: DeliveryRow, ctx: Reader): Delivery {
  const { mode } = ctx.tenant
  const attempts = maySeeExcerpts(ctx) ? row.attempts : row.attempts.map(withoutExcerpt)
  return {
    id: row.id,
    object: 'delivery',
    mode,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    destination_id: row.destination_id,
    event_id: row.event_id,
    event_type: row.event_type,
    status: row.status,
    attempts: attempts.map((attempt) => ({ ...attempt, at: new Date(attempt.at).toISOString() })),
    next_attempt_at: row.destination_status === 'enabled' ? (row.due_at?.toISOString() ?? null) : null,
    business_response:
      row.response_received_at === null
        ? null
        : { received_at: row.response_received_at.toISOString(), accepted: row.response_accepted ?? false },
  }
}

/**
 * Where endpoints may be on this machine, an answer can come from any program on it: only keys that hold all other rights as well may see
 * it.
 */
function maySeeExcerpts({ tenant, scopes, settings }: Reader): boolean {
  return !(settings.allowLoopback && tenant.mode === 'test') || scopes.has('keys:write')
}

function withoutExcerpt(attempt: AttemptJson): AttemptJson {
  return { ...attempt, response_excerpt: null }
}
