import { archivePolicy } from './archive-policy.ts'
import { createPolicy } from './create-policy.ts'
import { getPolicy, listPolicies } from './get-policies.ts'
import type { PastIntentReads } from './port.ts'
import { simulatePolicy } from './simulate-policy.ts'
import { unarchivePolicy } from './unarchive-policy.ts'
import { updatePolicy } from './update-policy.ts'

export function policyOperations(pastIntents: PastIntentReads) {
  return [
    createPolicy,
    listPolicies,
    getPolicy,
    updatePolicy,
    archivePolicy,
    unarchivePolicy,
    simulatePolicy(pastIntents),
  ]
}
