import Type, { type Static } from 'typebox'
import type { Mode } from '../../contract/context.ts'
import { Closed, IdOf, Named, Nullable, OneOf, objectHead, Timestamp } from '../../contract/schemas.ts'
import type { Id } from '../../core/id.ts'
import { changedSettings, type DestinationSettings, staleReasons } from '../merchant/public.ts'
import type { QuoteCreate } from '../quotes/public.ts'
import { type CheckKind, type CheckStatus, checkKinds, checkStatuses } from './machine.ts'

export const CheckKindSchema = Named('IntegrationCheckKind', OneOf(checkKinds))
export const CheckStatusSchema = Named('IntegrationCheckStatus', OneOf(checkStatuses))

export const stepNames = [
  'destination',
  'quote',
  'order',
  'delivery',
  'response',
  'offer',
  'payment',
  'settings',
] as const

export const CheckStep = Named(
  'IntegrationCheckStep',
  Closed({
    name: OneOf(stepNames),
    status: OneOf(['running', 'passed', 'failed', 'skipped'], {
      description: '`running`: waited for. `skipped`: of no account after a failure.',
    }),
    detail: Type.String(),
    at: Nullable(Timestamp),
  }),
)
export type CheckStep = Static<typeof CheckStep>

export const CheckEvidence = Named(
  'IntegrationCheckEvidence',
  Closed({
    event_id: Nullable(IdOf('evt')),
    delivery_id: Nullable(IdOf('dlv')),
    delivery_attempts: Type.Integer({ minimum: 0 }),
    http_status: Nullable(Type.Integer()),
    responded_at: Nullable(Timestamp),
    responded_by: Nullable(
      Type.String({ description: 'The id of the destination or of the API key that answered.' }),
    ),
    response_ms: Nullable(
      Type.Integer({ minimum: 0, description: 'From the question to the accepted answer, in milliseconds.' }),
    ),
    order_id: Nullable(IdOf('ord')),
    payment_status: Nullable(Type.String()),
    quote_id: Nullable(IdOf('quo')),
    offer_id: Nullable(IdOf('offer')),
    amount: Nullable(
      Type.Integer({ minimum: 0, description: 'What was charged or offered, in minor units.' }),
    ),
    currency: Nullable(Type.String()),
    destination: Closed(
      {
        endpoint_url: Type.String(),
        secret_prefix: Type.String(),
        event_types: Type.Array(Type.String()),
        responds_to_quotes: Type.Boolean(),
      },
      { description: 'The settings that this was found out under. Other ones make it stale.' },
    ),
  }),
)
export type CheckEvidence = Static<typeof CheckEvidence>

export const CheckFailure = Named(
  'IntegrationCheckFailure',
  Closed({
    code: Type.String(),
    message: Type.String(),
    fix: Type.String({ description: 'What to do about it.' }),
  }),
)
export type CheckFailure = Static<typeof CheckFailure>

export const IntegrationCheck = Named(
  'IntegrationCheck',
  Closed({
    ...objectHead('chk', 'integration_check'),
    kind: CheckKindSchema,
    destination_id: IdOf('dest'),
    order_id: Nullable(IdOf('ord')),
    quote_id: Nullable(IdOf('quo')),
    status: CheckStatusSchema,
    stale: Type.Boolean({
      description: 'Whether the destination has other settings by now than those that were checked.',
    }),
    stale_reasons: Type.Array(OneOf(staleReasons)),
    steps: Type.Array(CheckStep),
    evidence: Nullable(CheckEvidence),
    failure: Nullable(CheckFailure),
    deadline_at: Type.String({
      format: 'date-time',
      description: 'Until then it waits for what is to come.',
    }),
    finished_at: Nullable(Timestamp),
  }),
)
export type IntegrationCheck = Static<typeof IntegrationCheck>

export type CheckRow = {
  account_id: Id<'acct'>
  mode: Mode
  id: Id<'chk'>
  kind: CheckKind
  destination_id: Id<'dest'>
  order_id: Id<'ord'> | null
  quote_request: QuoteCreate | null
  quote_id: Id<'quo'> | null
  status: CheckStatus
  steps: CheckStep[]
  evidence: CheckEvidence | null
  failure: CheckFailure | null
  settings: DestinationSettings | null
  deadline_at: Date
  finished_at: Date | null
  due_at: Date | null
  seq: number
  created_at: Date
  updated_at: Date
}

/** `now`: the destination's settings as they are. */
export function renderCheck(row: CheckRow, now: DestinationSettings): IntegrationCheck {
  // Until it has ended nothing can be stale.
  const checked = row.finished_at === null ? null : row.settings
  const reasons = checked === null ? [] : changedSettings(checked, now)
  return {
    id: row.id,
    object: 'integration_check',
    mode: row.mode,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    kind: row.kind,
    destination_id: row.destination_id,
    order_id: row.order_id,
    quote_id: row.quote_id,
    status: row.status,
    stale: reasons.length > 0,
    stale_reasons: reasons,
    steps: row.steps.map(({ name, status, detail, at }) => ({ name, status, detail, at })),
    evidence: row.evidence,
    failure: row.failure && {
      code: row.failure.code,
      message: row.failure.message,
      fix: row.failure.fix,
    },
    deadline_at: row.deadline_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
  }
}
