import { statement } from '../../../contract/statement.ts'
import type { Invariant, InvariantRow } from '../../../platform/audit/invariants.ts'

type Nothing = Record<never, never>

const checkStates = statement<InvariantRow, Nothing>(
  'invariant_integration_check_states',
  `/* tenantless: invariants hold for everybody */
   with last as (
     select c.id, c.status, c.seq, e.type, e.sequence
     from integration_checks c
     left join lateral (
       select type, sequence from events
       where account_id = c.account_id and mode = c.mode and aggregate_id = c.id order by sequence desc limit 1
     ) e on true
   )
   select count(*) as checked,
     (array_agg(id) filter (
       where type is distinct from 'integration_check.' || status or sequence is distinct from seq))[1:100] as violations
   from last`,
)

const checkProofs = statement<InvariantRow, Nothing>(
  'invariant_integration_check_proofs',
  `/* tenantless: invariants hold for everybody */
   select count(*) as checked,
     (array_agg(c.id) filter (where o.id is null or o.responded_by_type <> 'destination'
       or o.responded_by_id <> c.destination_id
       or o.payment_status not in ('captured', 'partially_refunded', 'refunded')))[1:100] as violations
   from integration_checks c
   left join orders o on o.merchant_account_id = c.account_id and o.mode = c.mode and o.id = c.order_id
   where c.kind = 'order' and c.status = 'passed'`,
)

const checkWaits = statement<InvariantRow, Nothing>(
  'invariant_integration_check_waits',
  `/* tenantless: invariants hold for everybody */
   select count(*) as checked,
     (array_agg(id) filter (where deadline_at < prokura_now() - interval '60 seconds'))[1:100] as violations
   from integration_checks where status in ('queued', 'running')`,
)

export const integrationCheckInvariants: readonly Invariant[] = [
  {
    id: 'S2-checks',
    title: 'An integration check has the state that its last event says',
    statement: checkStates({}),
  },
  {
    id: 'E2-checks',
    title: 'An order check passed only where its destination answered and the payment was captured',
    statement: checkProofs({}),
  },
  {
    id: 'W2-checks',
    title: 'No integration check waits past its deadline',
    needsWorkers: true,
    statement: checkWaits({}),
  },
]
