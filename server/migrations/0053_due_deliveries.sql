-- Deliveries that are open stand in a queue of their own, with what a claim looks at and no more: a row is inserted, leased and deleted
-- there, while the wide row with the history of the delivery is written once by the event and once by each attempt. `deliveries.due_at`
-- stays what decides: a trigger puts every change of it into the queue, whichever statement and whichever version writes it.
set local lock_timeout = '400ms';

create table due_deliveries (
  account_id text collate "C" not null,
  mode mode not null,
  destination_id text collate "C" not null,
  aggregate_id text collate "C" not null,
  sequence integer not null,
  -- Of the delivery.
  id text collate "C" not null,
  -- Never before the statement that wrote it: what claims have looked at by time stays behind them.
  due_at timestamptz not null,
  -- Whether it has had its first attempt, for which later events of the same object wait.
  is_tried boolean not null,
  -- Its destination had no room when it was due: it is found by its destination from then on, and by its time before.
  is_set_aside boolean not null,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  step_failures integer not null default 0,
  step_failing_since timestamptz,
  step_error text,
  primary key (account_id, mode, destination_id, aggregate_id, sequence)
) with (
  -- Room for the lease on the page of each row.
  fillfactor = 50,
  -- Every row is soon dead. Each look at its statistics makes all plans of it anew, and they would not change.
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_insert_threshold = -1,
  autovacuum_vacuum_cost_delay = 0, autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 200000
);
create index due_deliveries_by_time on due_deliveries (due_at) where not is_set_aside;
create index due_deliveries_of_destination on due_deliveries (account_id, mode, destination_id, due_at) where is_set_aside;

-- Where the destination has rows set aside, new ones join them. What a statement ends by a success it takes out of the queue itself; a row
-- that a process of the version before has ended is taken out here, known by the lease, which that version alone has on the delivery.
create function queue_delivery() returns trigger language plpgsql as $$
begin
  if new.due_at is not null then
    insert into due_deliveries as q (account_id, mode, destination_id, aggregate_id, sequence, id, due_at, is_tried, is_set_aside,
      lease_token)
    values (new.account_id, new.mode, new.destination_id, new.aggregate_id, new.sequence, new.id, greatest(new.due_at, prokura_now()),
      new.first_attempt_at is not null,
      new.due_at <= prokura_now() and exists (
        select from due_deliveries b where b.account_id = new.account_id and b.mode = new.mode and b.destination_id = new.destination_id
          and b.is_set_aside),
      -- Above every lease that it had when it was in the queue before.
      new.attempt_count::bigint << 20)
    on conflict (account_id, mode, destination_id, aggregate_id, sequence) do update
      set id = excluded.id, due_at = excluded.due_at, is_tried = excluded.is_tried, is_set_aside = excluded.is_set_aside,
        lease_until = null, lease_token = q.lease_token + 1, step_failures = 0, step_failing_since = null, step_error = null;
  elsif old.due_at is not null and (tg_op = 'DELETE' or new.status = 'exhausted' or old.lease_until is not null) then
    delete from due_deliveries
    where account_id = old.account_id and mode = old.mode and destination_id = old.destination_id
      and aggregate_id = old.aggregate_id and sequence = old.sequence;
  end if;
  return null;
end
$$;

-- A process of the version before claims the delivery itself. It gets what nobody holds in the queue, and holds it there too.
create function lease_as_before() returns trigger language plpgsql as $$
begin
  if new.lease_until > prokura_now() and new.lease_token > old.lease_token then
    update due_deliveries set lease_until = new.lease_until, lease_token = lease_token + 1
    where ctid = (
      -- This version locks the queue first: a wait here for one that waits for this row would never end.
      select q.ctid from due_deliveries q
      where q.account_id = new.account_id and q.mode = new.mode and q.destination_id = new.destination_id
        and q.aggregate_id = new.aggregate_id and q.sequence = new.sequence and (q.lease_until is null or q.lease_until <= prokura_now())
      for no key update skip locked);
    if not found then
      return null;
    end if;
  end if;
  return new;
end
$$;

drop trigger note_due_of_new on deliveries;
drop trigger note_due on deliveries;
create trigger queue_delivery_of_new after insert on deliveries for each row execute function queue_delivery();
create trigger queue_delivery after update of due_at on deliveries for each row execute function queue_delivery();
create trigger unqueue_delivery after delete on deliveries for each row execute function queue_delivery();
create trigger lease_as_before before update of lease_until on deliveries for each row execute function lease_as_before();
alter table deliveries enable always trigger queue_delivery_of_new, enable always trigger queue_delivery,
  enable always trigger unqueue_delivery, enable always trigger lease_as_before;

-- To a process of the version before, every delivery is one whose destination it visits.
alter table deliveries alter column is_due set default true, drop constraint deliveries_check2;
