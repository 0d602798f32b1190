import type { Fragment } from '../../contract/statement.ts'
import { type PurchaseScope, selectApplicablePolicies } from './policies.sql.ts'
import type { ApplicablePolicy } from './policy.ts'

/** The policies of a purchase, with what is used of them at this moment. */
export const policiesOfPurchase: Fragment<ApplicablePolicy, PurchaseScope> = selectApplicablePolicies

export const policyTimes = [
  'valid_from',
  'valid_until',
  'created_at',
  'updated_at',
  'archived_at',
] as const satisfies readonly (keyof ApplicablePolicy)[]
