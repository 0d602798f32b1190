import { statement } from '../../contract/statement.ts'
import { packedColumns } from '../events/relay.sql.ts'
import type { AuditHead, TenantKey } from './audit-chain.ts'
import { isTimeFiner, type ReadEvent } from './stored-events.sql.ts'

/** An event, with its position if an entry of its own holds it. */
export const selectEventToProve = statement<
  ReadEvent & { entry_position: bigint | null },
  { event_id: string; account_id: string | null }
>(
  'select_event_to_prove',
  `/* tenantless: an operator names an event of anybody */
   select ${packedColumns}, ${isTimeFiner}, a.position as entry_position
   from events e left join audit_entries a on a.account_id = e.account_id and a.mode = e.mode and a.event_id = e.id
   where e.id = $event_id and ($account_id::text is null or e.account_id = $account_id)`,
)

/** What stands before and after a link: the link that ends at `before`, the one that begins at `after` or later, and the head. */
export const selectNeighbors = statement<
  AuditHead & { place: 'before' | 'after' | 'head'; previous_hash: Buffer },
  TenantKey & { before: bigint; after: bigint }
>(
  'select_audit_neighbors',
  `select case when position = $before then 'before' else 'after' end as place, position, hash, scheme, previous_hash
   from audit_entries where account_id = $account_id and mode = $mode and position in ($before, $after)
   union all
   select 'before', last_position, hash, scheme, previous_hash
   from audit_batches where account_id = $account_id and mode = $mode and last_position = $before
   union all
   select 'after', n.first_position, n.hash, n.scheme, n.previous_hash from (
     select b.first_position, b.hash, b.scheme, b.previous_hash from audit_batches b
     where b.account_id = $account_id and b.mode = $mode and b.last_position >= $after order by b.last_position limit 1
   ) as n where n.first_position = $after
   union all
   select 'head', position, hash, scheme, hash from audit_heads where account_id = $account_id and mode = $mode`,
)
