import { statement } from '../../contract/statement.ts'
import { batchRanges } from './batches.sql.ts'
import type { CheckedBy, Invariant, InvariantResult, InvariantRow } from './invariants.ts'
import { verifyAudit } from './verify-audit.ts'

const gaplessSequences = statement<InvariantRow, Record<never, never>>(
  'invariant_gapless_sequences',
  `/* tenantless: invariants hold for everybody */
   with aggregates as (
     select aggregate_id, min(sequence) as first, max(sequence) as last, count(*) as events
     from events group by account_id, mode, aggregate_id
   )
   select count(*) as checked,
     (array_agg(aggregate_id) filter (where first <> 1 or last <> events))[1:100] as violations
   from aggregates`,
)

const relayedOnTime = statement<InvariantRow, Record<never, never>>(
  'invariant_relayed_on_time',
  `/* tenantless: invariants hold for everybody */
   select count(*) as checked,
     (array_agg(aggregate_id || ' ' || first_sequence) filter (where created_at < prokura_now() - interval '60 seconds'
       or (select count(*) from events e where e.account_id = o.account_id and e.mode = o.mode
         and e.aggregate_id = o.aggregate_id and e.sequence between o.first_sequence and o.last_sequence)
         <> o.last_sequence - o.first_sequence + 1))[1:100] as violations
   from outbox o`,
)

const followedOnTime = statement<InvariantRow, Record<never, never>>(
  'invariant_followed_on_time',
  `/* tenantless: invariants hold for everybody */
   select count(*) as checked,
     (array_agg(b.event_id || ' for ' || b.follower order by b.behind_since) filter (
       where e.id is null or b.behind_since < prokura_now() - interval '60 seconds'))[1:100] as violations
   from follower_backlog b
   left join events e on e.account_id = b.account_id and e.mode = b.mode and e.aggregate_id = b.aggregate_id
     and e.sequence = b.sequence`,
)

const chainedOrPending = statement<InvariantRow, Record<never, never>>(
  'invariant_chained_or_pending',
  `/* tenantless: invariants hold for everybody */
   select count(*) as checked,
     (array_agg(e.id) filter (where
       (a.event_id is not null)::int + (c.aggregate_id is not null)::int + (u.aggregate_id is not null)::int
         + (w.aggregate_id is not null)::int <> 1))[1:100] as violations
   from events e
   left join audit_entries a on a.account_id = e.account_id and a.mode = e.mode and a.event_id = e.id
   left join (select b.account_id, b.mode, r.aggregate_id, r.first_sequence, r.last_sequence from ${batchRanges}) as c
     on c.account_id = e.account_id and c.mode = e.mode and c.aggregate_id = e.aggregate_id
       and e.sequence between c.first_sequence and c.last_sequence
   left join outbox u on u.account_id = e.account_id and u.mode = e.mode and u.aggregate_id = e.aggregate_id
     and e.sequence between u.first_sequence and u.last_sequence
   left join follower_backlog w on w.account_id = e.account_id and w.mode = e.mode and w.aggregate_id = e.aggregate_id
     and w.sequence = e.sequence and w.follower = 'audit'`,
)

const keysNameEffects = statement<InvariantRow, Record<never, never>>(
  'invariant_keys_name_effects',
  `/* tenantless: invariants hold for everybody */
   select count(*) as checked,
     (array_agg(k.operation || ' ' || k.key) filter (where k.event_id is not null and e.id is null))[1:100] as violations
   from idempotency_keys k
   left join events e on e.account_id = k.account_id and e.mode = k.mode
     and e.aggregate_id = coalesce(k.event_aggregate_id, k.object_id) and e.id = k.event_id`,
)

/** The invariants that hold whatever the slices do. */
export const platformInvariants: readonly Invariant[] = [
  { id: 'S2', title: 'The events of an object are numbered without a gap', statement: gaplessSequences({}) },
  {
    id: 'W2',
    title: 'No event waits for the relay for more than 60 s',
    needsWorkers: true,
    statement: relayedOnTime({}),
  },
  {
    id: 'W2-followers',
    title: 'No follower fails at an event for more than 60 s',
    needsWorkers: true,
    statement: followedOnTime({}),
  },
  { id: 'W5', title: 'The event that an idempotency key refers to exists', statement: keysNameEffects({}) },
  { id: 'W6', title: 'The audit chain verifies', check: checkChain },
  {
    id: 'W6-entries',
    title: 'Every event is exactly one of these: pending, waiting for the audit chain, or in the audit chain',
    statement: chainedOrPending({}),
  },
]

async function checkChain({ pools, auditKeys }: CheckedBy): Promise<InvariantResult> {
  const report = await verifyAudit(pools, { keys: auditKeys })
  return {
    checked: report.entries,
    violations: report.breaks.map(
      ({ accountId, mode, position, reason }) => `${accountId}/${mode}#${position}: ${reason}`,
    ),
    ...(auditKeys === null ? { notAsked: { reason: 'the keys are not here', isFault: false } } : {}),
  }
}
