import type { Id } from '../../../core/id.ts'
import { aggregate } from '../../../platform/aggregate/aggregate.ts'
import type { Interval } from '../../policies/public.ts'

/** What a cardholder was shown and approved, where, and by what they had proven their card. */
type StandingBudgetRow = {
  policy_id: string
  profile_id: Id<'prof'>
  payment_method_id: Id<'pm'>
  key_id: Id<'key'>
  page: string
  session_hash: Buffer
  proven_by: ProvenBy
  amount: bigint
  currency: string
  interval: Interval
  ends_at: Date | null
  approved_at: Date
}

export type ProvenBy = 'enrollment' | 'security_code'

export const insertStandingBudget = aggregate<StandingBudgetRow>()({
  table: 'standing_budgets',
  columns: `policy_id, profile_id, payment_method_id, key_id, page, session_hash, proven_by, amount, currency, interval, ends_at,
    approved_at`,
  key: ['policy_id'],
}).insert('insert_standing_budget')
