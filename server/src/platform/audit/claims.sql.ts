import { statement } from '../../contract/statement.ts'
import { batchRanges, isInBatch } from './batches.sql.ts'

const isAsked = (table: string) =>
  `($account_id::text is null or ${table}.account_id = $account_id) and ($mode::mode is null or ${table}.mode = $mode)`

/**
 * Events that a chain holds more than once, and events before the last one of their aggregate that it does not hold and that do not exist.
 * Those that do exist are found as events that no chain holds. Of an event that is gone an entry of its own does not say the
 * sequence, so where such an entry is about the same aggregate, it may be the one.
 */
export const selectMisclaimed = statement<
  {
    account_id: string
    mode: string
    position: bigint
    aggregate_id: string
    sequence: number
    reason: 'event_twice' | 'event_skipped'
  },
  { account_id: string | null; mode: string | null }
>(
  'select_misclaimed_events',
  // guard audit-event-twice: an event that a chain holds twice is found
  // guard audit-event-skipped: an event that was removed before it was chained is found
  `/* tenantless: an operator verifies every chain */
   with claimed as (
     select b.account_id, b.mode, b.last_position as position, r.aggregate_id, r.first_sequence as first,
       coalesce(max(r.last_sequence) over (
         partition by b.account_id, b.mode, r.aggregate_id order by r.first_sequence, b.last_position
         rows between unbounded preceding and 1 preceding), 0) as before
     from ${batchRanges}
     where ${isAsked('b')}
   )
   (select account_id, mode, position, aggregate_id, first as sequence, 'event_twice' as reason from claimed where first <= before limit 100)
   union all
   (select a.account_id, a.mode, a.position, e.aggregate_id, e.sequence, 'event_twice'
    from audit_entries a join events e on e.account_id = a.account_id and e.mode = a.mode and e.aggregate_id = a.target_id
      and e.id = a.event_id
    where ${isAsked('a')} and ${isInBatch} limit 100)
   union all
   (select c.account_id, c.mode, c.position, c.aggregate_id, c.before + 1, 'event_skipped'
    from claimed c
    where c.first > c.before + 1
      and c.first - c.before - 1 > (
        select count(*) from events e
        where e.account_id = c.account_id and e.mode = c.mode and e.aggregate_id = c.aggregate_id
          and e.sequence > c.before and e.sequence < c.first)
      and not exists (
        select from audit_entries a
        where a.account_id = c.account_id and a.mode = c.mode and a.target_id = c.aggregate_id and a.event_id is not null
          and not exists (
            select from events e where e.account_id = a.account_id and e.mode = a.mode and e.aggregate_id = a.target_id
              and e.id = a.event_id))
    limit 100)`,
)
