import Type, { type Static } from 'typebox'
import type { Mode } from '../../contract/context.ts'
import { Closed, IdOf, Nullable, objectHead, Timestamp } from '../../contract/schemas.ts'
import { toWire } from '../../core/money.ts'
import { PolicyResult } from '../policies/public.ts'
import type { AuditRowRow } from './audit-rows.sql.ts'
import { PurchaseIntentStatus } from './intent.ts'

export const AuditRow = Closed({
  ...objectHead('pi', 'audit_row'),
  purchase_intent_id: IdOf('pi'),
  profile_id: IdOf('prof'),
  profile_name: Type.String(),
  status: PurchaseIntentStatus,
  currency_code: Type.String(),
  expected_amount: Type.Integer(),
  max_allowed_amount: Type.Integer(),
  actual_amount: Type.Integer(),
  merchants: Type.Array(Type.String(), { description: 'Domains.' }),
  item_count: Type.Integer(),
  policy_result: PolicyResult,
  approved_by: Nullable(Type.String()),
  actor: Closed({ type: Type.String(), id: Nullable(Type.String()) }),
  failure_code: Nullable(Type.String()),
  completed_at: Nullable(Timestamp),
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
    currency_code: row.currency,
    expected_amount: toWire(row.expected_amount),
    max_allowed_amount: toWire(row.max_allowed_amount),
    actual_amount: toWire(row.actual_amount),
    merchants: row.merchants,
    item_count: row.item_count,
    policy_result: row.policy_result,
    approved_by: row.approved_by,
    actor: { type: row.actor_type, id: row.actor_id },
    failure_code: row.failure_code,
    completed_at: row.completed_at?.toISOString() ?? null,
  }
}
