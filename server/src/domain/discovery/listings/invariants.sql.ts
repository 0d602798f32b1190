import { statement } from '../../../contract/statement.ts'
import type { InvariantRow } from '../../../platform/audit/invariants.ts'
import { sql } from '../../../platform/database/fragment.ts'
import { itemsPublished } from '../../selling/catalog/reads.sql.ts'

/** Items whose last change is a minute old: until then the relay may still be on its way. */
export const checkListed = statement<InvariantRow, Record<never, never>>(
  'invariant_listed',
  sql`/* tenantless: checks every tenant's rows, for the operator */
   select count(*) as checked, (array_agg(coalesce(i.id, l.id)) filter (
       where l.id is null and i.updated_at < prokura_now() - interval '60 seconds' or i.id is null
     ))[1:100] as violations
   from ${itemsPublished} i full join listings l on l.account_id = i.account_id and l.mode = i.mode and l.id = i.id`,
)
