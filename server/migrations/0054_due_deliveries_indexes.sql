-- no transaction
-- See 0053: what is open is queued, and the indexes by which it was found are dropped. No column of an index changes with an attempt any
-- more, so an attempt writes none. A process of the version before finds deliveries by their destination without them, the slower the
-- longer a destination's history is; `not is_due`, which nothing is, is an index without entries.
insert into due_deliveries (account_id, mode, destination_id, aggregate_id, sequence, id, due_at, is_tried, is_set_aside, lease_until,
  step_failures, step_failing_since, step_error)
select account_id, mode, destination_id, aggregate_id, sequence, id, due_at, first_attempt_at is not null, false, lease_until,
  step_failures, step_failing_since, step_error
from deliveries where due_at is not null
on conflict do nothing;
update deliveries set is_due = true where is_due is false;
drop index concurrently if exists deliveries_due_of_destination;
drop index concurrently if exists deliveries_due_later;
drop index concurrently if exists deliveries_due;
drop index concurrently if exists deliveries_unattempted;
create index concurrently if not exists deliveries_not_due on deliveries (id) where not is_due;
analyze due_deliveries;
