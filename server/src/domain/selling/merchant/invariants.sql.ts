import { statement } from '../../../contract/statement.ts'
import type { Invariant, InvariantRow } from '../../../platform/audit/invariants.ts'

const checkOverdueProofs = statement<InvariantRow, Record<never, never>>(
  'invariant_overdue_domain_proofs',
  `/* tenantless: invariants hold for everybody */
   select count(*) as checked,
     (array_agg(id) filter (where due_at < prokura_now() - interval '60 seconds'))[1:100] as violations
   from domain_verifications`,
)

export const merchantInvariants: readonly Invariant[] = [
  {
    id: 'W2-domains',
    title: 'The proof of a domain is checked when it is due',
    needsWorkers: true,
    statement: checkOverdueProofs({}),
  },
]
