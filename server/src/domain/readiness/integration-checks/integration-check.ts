import Type, { type Static } from 'typebox'
import type { Mode } from '../../../contract/context.ts'
import { At, Closed, Described, IdOf, Named, Nullable, OneOf, objectHead } from '../../../contract/schemas.ts'
import type { Id } from '../../../core/id.ts'
import type { QuoteCreate } from '../../trade/quotes/public.ts'
import {
  changedSettings,
  type DestinationSettings,
  staleReasons,
} from '../../webhooks/destinations/public.ts'
import { type CheckKind, type CheckStatus, checkKinds, checkStatuses } from './machine.ts'

export const CheckKindSchema = Named(
  'IntegrationCheckKind',
  OneOf(checkKinds, { description: 'What is checked: answers to quote requests, or to orders.' }),
)
export const CheckStatusSchema = Named(
  'IntegrationCheckStatus',
  OneOf(checkStatuses, { description: 'How far a check is. It has ended when passed or failed.' }),
)

const stepNames = [
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
  Closed(
    {
      name: OneOf(stepNames, { description: 'What this step looks at.' }),
      status: OneOf(['running', 'passed', 'failed', 'skipped'], {
        description: '`running`: it waits for something. `skipped`: a step before it failed.',
      }),
      detail: Type.String({ description: 'What was found, in a sentence.' }),
      at: Nullable(At('When it was found; null if it is not yet.')),
    },
    { description: 'One step of an integration check.' },
  ),
)
export type CheckStep = Static<typeof CheckStep>

export const CheckEvidence = Named(
  'IntegrationCheckEvidence',
  Closed(
    {
      event_id: Nullable(IdOf('evt', 'The event that was sent; null if none was.')),
      delivery_id: Nullable(IdOf('dlv', 'Its delivery; null if there is none.')),
      delivery_attempts: Type.Integer({ minimum: 0, description: 'How often it was sent.' }),
      http_status: Nullable(
        Type.Integer({ description: 'The HTTP status the endpoint answered; null if there was no answer.' }),
      ),
      responded_at: Nullable(At('When the accepted answer came; null if none did.')),
      responded_by: Nullable(
        Type.String({
          description: 'The id of the destination or the API key that answered; null if none did.',
        }),
      ),
      response_ms: Nullable(
        Type.Integer({
          minimum: 0,
          description: 'How long the accepted answer took, in milliseconds; null if there was none.',
        }),
      ),
      order_id: Nullable(IdOf('ord', 'The order; null for a quote check.')),
      payment_status: Nullable(
        Type.String({ description: 'The payment of the order; null for a quote check.' }),
      ),
      quote_id: Nullable(IdOf('quo', 'The quote; null for an order check.')),
      offer_id: Nullable(IdOf('offer', 'The offer that was made; null if none was.')),
      amount: Nullable(
        Type.Integer({
          minimum: 0,
          description:
            'What was charged or offered in all, in minor units (1999 is $19.99); null if nothing was.',
        }),
      ),
      currency: Nullable(Type.String({ description: 'ISO 4217 code of the amount; null without one.' })),
      destination: Closed(
        {
          endpoint_url: Type.String({ description: 'The URL that events were sent to.' }),
          secret_prefix: Type.String({ description: 'The beginning of the secret that signed.' }),
          event_types: Type.Array(Type.String(), { description: 'The event types it subscribed to.' }),
          responds_to_quotes: Type.Boolean({ description: 'Whether it was the designated quote responder.' }),
        },
        { description: 'The settings that were checked; other settings make the check stale.' },
      ),
    },
    { description: 'What an integration check found.' },
  ),
)
export type CheckEvidence = Static<typeof CheckEvidence>

export const CheckFailure = Named(
  'IntegrationCheckFailure',
  Closed(
    {
      code: Type.String({ description: 'Why the check failed.' }),
      message: Type.String({ description: 'Why the check failed, in a sentence.' }),
      fix: Type.String({ description: 'What to do about it.' }),
    },
    { description: 'Why an integration check failed, and what to do about it.' },
  ),
)
export type CheckFailure = Static<typeof CheckFailure>

export const IntegrationCheck = Named(
  'IntegrationCheck',
  Closed(
    {
      ...objectHead('chk', 'integration_check'),
      kind: Described(CheckKindSchema, 'What is checked.'),
      destination_id: IdOf('dest', 'The destination that is checked.'),
      order_id: Nullable(IdOf('ord', 'The order it looks at; null for a quote check.')),
      quote_id: Nullable(IdOf('quo', 'The quote it asked for; null for an order check.')),
      status: Described(CheckStatusSchema, 'How far the check is. It has ended when passed or failed.'),
      stale: Type.Boolean({
        description: 'Whether the settings of the destination have changed since.',
      }),
      stale_reasons: Type.Array(OneOf(staleReasons), { description: 'Which settings have changed.' }),
      steps: Type.Array(CheckStep, { description: 'What was looked at, in order.' }),
      evidence: Nullable(Described(CheckEvidence, 'What was found; null until something was.')),
      failure: Nullable(Described(CheckFailure, 'Why it failed; null if it did not.')),
      deadline_at: Type.String({
        format: 'date-time',
        description: 'Until when it waits.',
      }),
      finished_at: Nullable(At('When it ended; null if it has not.')),
    },
    { description: 'Proof that a destination works, or what it lacks.' },
  ),
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

/** `now`: the destination's settings of today. */
export function renderCheck(row: CheckRow, now: DestinationSettings): IntegrationCheck {
  // Before it has ended, nothing can be stale.
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
