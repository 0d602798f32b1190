import { statement } from '../../../contract/statement.ts'
import type { InvariantRow } from '../../../platform/audit/invariants.ts'

export const checkOverdueProofs = statement<InvariantRow, Record<never, never>>(
  'invariant_overdue_domain_proofs',
  `/* tenantless: invariants hold for everybody */
   select count(*) as checked,
     (array_agg(id) filter (where due_at < prokura_now() - interval '60 seconds'))[1:100] as violations
   from domain_verifications`,
)
