-- What was kept for processes that no longer run beside this version: it reads and writes none of it, and neither does the one before.
set local lock_timeout = '400ms';

-- The keys of agents, beside the agents that policies and freezes name.
drop trigger give_key_its_agent on api_keys;
drop trigger name_key_beside_its_agent on api_keys;
drop trigger keep_scope_in_step on policies;
drop trigger keep_freeze_in_step on controls;
drop function give_key_its_agent(), name_key_beside_its_agent(), keep_scope_in_step(), keep_freeze_in_step();
drop function agents_of_keys(text, mode, text[]), keys_of_agents(text, mode, text[]);
alter table policies drop column scope_key_ids;
alter table controls drop column frozen_key_ids;

-- Events that are written through the view, and pointers beside the outbox.
drop trigger insert_event on events;
drop table unrelayed;
drop table relay_shards;
drop function insert_event(), pass_pointer_on();

-- Digests of requests without a key. With the column goes the rule that there is one of the two.
alter table idempotency_keys
  drop column request_digest,
  alter column keyed_digest set not null,
  alter column digest_key set not null;
drop table idempotency_digests;

-- Chains that began without a key: an entry is under one.
drop trigger refuse_unkeyed on audit_entries;
drop function refuse_unkeyed_audit();
drop table audit_closings;
alter table audit_heads alter column scheme drop default;
alter table audit_entries
  alter column scheme drop default,
  drop constraint audit_entries_keyed,
  add constraint audit_entries_keyed check (
    scheme > 1 and range_first is not null and range_last is not null and range_count is not null and key_id is not null
  ) not valid;

-- Ids that follow from each other by numbers. A cart of that time that is under way would be ordered again, under another id.
do $$ begin
  if exists (select from carts where id_scheme <> 2) then
    raise exception 'this database has carts whose ids are numbers, which no version reads any more: run `prokura reset` if it holds test data alone';
  end if;
end $$;
alter table purchase_intents drop column id_scheme;
alter table carts drop column id_scheme;
alter table orders drop column id_scheme;

-- Leases of deliveries, which are claimed in `due_deliveries`.
drop trigger lease_as_before on deliveries;
drop function lease_as_before();
drop trigger queue_delivery on deliveries;

-- Where the destination has rows set aside, new ones join them. What a statement ends by a success it takes out of the queue itself, and the
-- function of the trigger then does nothing: calling it was a part of what an outcome costs.
create or replace function queue_delivery() returns trigger language plpgsql as $$
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
  elsif old.due_at is not null and (tg_op = 'DELETE' or new.status = 'exhausted') then
    delete from due_deliveries
    where account_id = old.account_id and mode = old.mode and destination_id = old.destination_id
      and aggregate_id = old.aggregate_id and sequence = old.sequence;
  end if;
  return null;
end
$$;
create trigger queue_delivery after update of due_at on deliveries for each row
  when (new.due_at is not null or new.status = 'exhausted')
  execute function queue_delivery();
alter table deliveries enable always trigger queue_delivery;
alter table deliveries
  drop column lease_until,
  drop column lease_token,
  drop column is_due,
  drop column step_failures,
  drop column step_failing_since,
  drop column step_error;
