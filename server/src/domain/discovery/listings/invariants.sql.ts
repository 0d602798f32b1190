import { statement } from '../../../contract/statement.ts'
import type { Invariant, InvariantRow } from '../../../platform/audit/invariants.ts'
import { sql } from '../../../platform/database/fragment.ts'
import { itemsPublished } from '../../selling/catalog/reads.sql.ts'
import { followItems } from './follow-items.ts'

/**
 * An item that is published, relayed and followed has a listing; what the listing says of it is not compared. What is still to be relayed,
 * or waits for the follower, is told of as such: W2. A minute is for what the relay commits at this moment, and for batches of a file.
 */
const checkListed = statement<InvariantRow, Record<never, never>>(
  'invariant_listed',
  sql`/* tenantless: checks every tenant's rows, for the operator */
   select count(*) as checked, (array_agg(coalesce(i.id, l.id)) filter (
       where (i.id is null or l.id is null and i.updated_at < prokura_now() - interval '60 seconds') and not exists (
         select from outbox u where u.account_id = coalesce(i.account_id, l.account_id) and u.mode = coalesce(i.mode, l.mode)
           and u.aggregate_id = coalesce(i.id, l.id)
       ) and not exists (
         select from follower_backlog b where b.account_id = coalesce(i.account_id, l.account_id) and b.mode = coalesce(i.mode, l.mode)
           and b.aggregate_id = coalesce(i.id, l.id) and b.follower = '${followItems.name}'
       )))[1:100] as violations
   from ${itemsPublished} i full join listings l on l.account_id = i.account_id and l.mode = i.mode and l.id = i.id`,
)

export const listingInvariants: readonly Invariant[] = [
  {
    id: 'D1',
    title: 'What is published is listed, and what is not is not',
    needsWorkers: true,
    statement: checkListed({}),
  },
]
