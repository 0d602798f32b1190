import { statement } from '../../../contract/statement.ts'
import { idFloor } from '../../../core/id.ts'
import {
  byGroup,
  groupsBehind,
  rowsOfGroup,
  type Sweep,
  type SweptGroups,
} from '../../../platform/retention/sweep.ts'

/** The name under which the sweep is recorded. */
export const deliveriesSwept = 'deliveries'

/**
 * The oldest of each tenant, by ids, which sort by time: so no index is needed that every delivery would pay for. A delivery that was
 * sent again recently stays, and one that is requested at this moment waits for the next round.
 */
const deleteOldDeliveries = statement<
  SweptGroups,
  { account_id: string; mode: string; before: Date; before_id: string }
>(
  'sweep_deliveries',
  // guard sweep-leaves-what-is-due: a delivery that still waits is not swept away
  // guard sweep-leaves-what-was-redelivered: a delivery that was made again lately is not swept away
  // guard attempts-go-with-their-delivery: no attempt is left of a delivery that is gone
  `/* tenantless: a sweep is of every account */
   with ${groupsBehind('deliveries', ['account_id', 'mode'], ['$account_id::text', '$mode::mode'])}, old as (
     select c.account_id, c.mode, d.id from chosen c
     cross join lateral (
       select id from deliveries d
       where d.account_id = c.account_id and d.mode = c.mode and d.id < $before_id and d.due_at is null and d.updated_at < $before
       order by d.id limit ${rowsOfGroup} for update skip locked
     ) d
   ), attempts as (
     delete from delivery_attempts a using old o
     where a.account_id = o.account_id and a.mode = o.mode and a.delivery_id = o.id
   ), gone as (
     delete from deliveries d using old o where d.account_id = o.account_id and d.mode = o.mode and d.id = o.id
     returning d.account_id, d.mode, d.created_at
   )
   select (select count(*)::int from gone) as rows, (select min(created_at) from gone) as oldest,
     (select count(*)::int from chosen) as groups,
     (select array[account_id, mode::text] from chosen order by account_id desc, mode desc limit 1) as last,
     coalesce((select bool_or(rows >= ${rowsOfGroup}) from (
       select count(*) as rows from old group by account_id, mode) as taken), false) as more`,
)

/** Deliveries that have ended, with their attempts: the event itself still tells what happened. */
export const sweepDeliveries: Sweep = {
  name: deliveriesSwept,
  removes: 'deliveries that have ended, with their attempts',
  keeps: 'deliveriesDays',
  batches: (pools, before) =>
    byGroup(pools, ['', 'test'], ([account_id = '', mode = 'test']) =>
      deleteOldDeliveries({ account_id, mode, before, before_id: idFloor('dlv', before.getTime()) }),
    ),
}
