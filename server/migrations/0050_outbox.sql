-- What the relay has still to do, one row for each transaction and aggregate in place of one for each event. `is_delivered`: the
-- transaction wrote the deliveries of its events itself. `is_followed`: no other follower wants them either, so that only the audit chain
-- is left, which needs no more than `digests`, 32 bytes for each event.
--
-- One change often makes several events that show the same object: it stands once, and the others say where (`object_at`, the sequence of
-- the one that has it). `events` is a view that shows every event with its object: to everybody who reads, and to a process of the version
-- before, which also writes there.
--
-- Events are found by their aggregate and sequence, by everybody: an index by id cost each event as much as its row.
--
-- A process of the version before writes into `unrelayed`: a trigger puts its rows here. Its relay loses its shards and finds nothing.
set local lock_timeout = '400ms';

create table outbox (
  shard smallint not null,
  lane smallint not null,
  account_id text collate "C" not null,
  mode mode not null,
  aggregate_id text collate "C" not null,
  first_sequence integer not null,
  last_sequence integer not null check (last_sequence >= first_sequence),
  is_delivered boolean not null,
  is_followed boolean not null check (is_delivered or not is_followed),
  digests bytea,
  created_at timestamptz not null,
  primary key (shard, lane, account_id, mode, aggregate_id, first_sequence)
) with (
  -- Rows come and go: their garbage costs every look, and statistics would have every connection plan again.
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500, autovacuum_vacuum_insert_threshold = -1,
  autovacuum_analyze_scale_factor = 1, autovacuum_analyze_threshold = 100000
);

create table outbox_shards (
  shard smallint primary key,
  epoch bigint not null default 0,
  holder text,
  lease_until timestamptz not null default '-infinity'
);
insert into outbox_shards (shard) select generate_series(0, 15);

-- How often the subscriptions of a tenant have changed. Who writes an event matches it with the subscriptions that it knows, if they are
-- still of this version when it writes; a tenant without a row never had any.
create table subscription_versions (
  account_id text collate "C" not null,
  mode mode not null,
  version bigint not null,
  primary key (account_id, mode)
);
insert into subscription_versions (account_id, mode, version)
select distinct account_id, mode, 1 from webhook_destinations;

create function count_subscription_change() returns trigger language plpgsql as $$
begin
  insert into subscription_versions as v (account_id, mode, version) values (new.account_id, new.mode, 1)
  on conflict (account_id, mode) do update set version = v.version + 1;
  return null;
end
$$;
create trigger count_subscription_change after insert or update of status, confirmed_at, audience on webhook_destinations
  for each row execute function count_subscription_change();
create trigger count_subscription_change after insert or update on destination_subscriptions
  for each row execute function count_subscription_change();

update relay_shards set epoch = epoch + 1, holder = 'a later version', lease_until = 'infinity';

create function pass_pointer_on() returns trigger language plpgsql as $$
begin
  insert into outbox (shard, lane, account_id, mode, aggregate_id, first_sequence, last_sequence, is_delivered, is_followed, created_at)
  values (new.shard, new.lane, new.account_id, new.mode, new.aggregate_id, new.sequence, new.sequence, false, false, prokura_now());
  return null;
end
$$;
create trigger pass_pointer_on before insert on unrelayed for each row execute function pass_pointer_on();

with moved as (delete from unrelayed returning *)
insert into outbox (shard, lane, account_id, mode, aggregate_id, first_sequence, last_sequence, is_delivered, is_followed, created_at)
select u.shard, u.lane, u.account_id, u.mode, u.aggregate_id, u.sequence, u.sequence, false, false, coalesce(e.created_at, prokura_now())
from moved u
left join events e on e.account_id = u.account_id and e.mode = u.mode and e.aggregate_id = u.aggregate_id and e.sequence = u.sequence;

alter table events drop constraint events_pkey;
alter table events rename to event_rows;
alter table event_rows
  alter column object drop not null,
  add column object_at integer,
  -- How the object stands here: 1, as text. Others may come, without a rewrite.
  add column object_form smallint not null default 1 check (object_form = 1),
  add constraint event_rows_object check ((object is null) = (object_at is not null));

create view events as
  select account_id, mode, id, type, aggregate_id, sequence, cart_id, actor_type, actor_id, request_id,
    coalesce(object, (
      select o.object from event_rows o
      where o.account_id = r.account_id and o.mode = r.mode and o.aggregate_id = r.aggregate_id and o.sequence = r.object_at
    )) as object,
    recipient_account_id, envelope, created_at
  from event_rows r;

create function insert_event() returns trigger language plpgsql as $$
begin
  insert into event_rows (account_id, mode, id, type, aggregate_id, sequence, cart_id, actor_type, actor_id, request_id, object,
    recipient_account_id, envelope, created_at)
  values (new.account_id, new.mode, new.id, new.type, new.aggregate_id, new.sequence, new.cart_id, new.actor_type, new.actor_id,
    new.request_id, new.object, new.recipient_account_id, new.envelope, new.created_at);
  return new;
end
$$;
create trigger insert_event instead of insert on events for each row execute function insert_event();

-- Whose event is the reply, where that is not the object that the reply shows.
alter table idempotency_keys add column event_aggregate_id text collate "C";
