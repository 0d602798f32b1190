import Type, { type Static } from 'typebox'
import { shownActor } from '../../../../contract/actor.ts'
import type { Mode } from '../../../../contract/context.ts'
import { At, Closed, Described, IdOf, Nullable, objectHead } from '../../../../contract/schemas.ts'
import { toWire } from '../../../../core/money.ts'
import { PolicyResult } from '../../../policies/public.ts'
import { ExecutionMethod, executionMethodOf } from '../create/execution-method.ts'
import { ApprovedBy, approverOf, PurchaseIntentStatus } from '../intent.ts'
import type { AuditRowRow } from './audit-rows.sql.ts'

export const AuditRow = Closed({
  ...objectHead('pi', 'audit_row'),
  purchase_intent_id: IdOf('pi', 'The purchase intent.'),
  profile_id: IdOf('prof', 'The profile it was bought for.'),
  profile_name: Type.String({ description: 'The name of the profile.' }),
  status: Described(PurchaseIntentStatus, 'The status of the purchase.'),
  execution_method: Described(ExecutionMethod, 'What begins the purchase.'),
  currency_code: Type.String({ description: 'ISO 4217 code of its amounts.' }),
  expected_amount: Type.Integer({
    description:
      'What all items were expected to cost together, before tax and fulfillment, in minor units (1999 is $19.99).',
  }),
  max_allowed_amount: Type.Integer({
    description: 'The most that can be charged in all, in minor units (1999 is $19.99).',
  }),
  actual_amount: Type.Integer({
    description: 'What was charged in all, with fulfillment and tax, in minor units (1999 is $19.99).',
  }),
  merchants: Type.Array(Type.String(), { description: 'The domains of the shops.' }),
  item_count: Type.Integer({ description: 'How many items it has.' }),
  policy_result: Described(PolicyResult, 'What policies decided.'),
  approved_by: Nullable(ApprovedBy),
  actor: Closed(
    {
      type: Type.String({ description: 'What kind of actor.' }),
      id: Nullable(Type.String({ description: 'The id of the actor.' })),
      for: Type.Optional(Type.String({ description: 'With a chat, the agent that it acts for.' })),
    },
    { description: 'Who created it.' },
  ),
  failure_code: Nullable(Type.String({ description: 'Why it failed; null if it did not.' })),
  completed_at: Nullable(At('When it ended; null if it has not.')),
})
export type AuditRow = Static<typeof AuditRow>

export function renderAuditRow(row: AuditRowRow, mode: Mode): AuditRow {
  return {
    id: row.id,
    object: 'audit_row',
    mode,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    purchase_intent_id: row.id,
    profile_id: row.profile_id,
    profile_name: row.profile_name,
    status: row.status,
    execution_method: executionMethodOf(row),
    currency_code: row.currency,
    expected_amount: toWire(row.expected_amount),
    max_allowed_amount: toWire(row.max_allowed_amount),
    actual_amount: toWire(row.actual_amount),
    merchants: row.merchants,
    item_count: row.item_count,
    policy_result: row.policy_result,
    approved_by: approverOf(row),
    actor: shownActor(row.actor_type, row.actor_id),
    failure_code: row.failure_code,
    completed_at: row.completed_at?.toISOString() ?? null,
  }
}
