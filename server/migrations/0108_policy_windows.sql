-- # Windows of policies, a row each
set local lock_timeout = '400ms';

-- What was used of one window of a policy. Purchases add to it by its key; a settlement finds the window that its reservation names, also
-- when it has ended. `created` counts the intents of a day.
create table policy_windows (
  account_id text collate "C" not null,
  mode mode not null,
  policy_id text collate "C" not null,
  interval text collate "C" not null check (interval in ('day', 'week', 'month', 'year', 'all_time', 'created')),
  -- When it began, as a key in the order of time: at midnight in UTC the date alone.
  start text collate "C" not null,
  -- When it ends, where the policy's zone has changed since it began.
  ends_at timestamptz,
  reserved bigint not null default 0 check (reserved >= 0),
  spent bigint not null default 0 check (spent >= 0),
  count integer not null default 0 check (count >= 0),
  primary key (account_id, mode, policy_id, interval, start),
  foreign key (account_id, mode, policy_id) references policies
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

-- Windows that have ended are swept by their age.
create index policy_windows_age on policy_windows (start) where interval <> 'all_time';

-- Of each interval the window that was last used, found by one probe of the key however many have ended. It is volatile, so that a
-- statement that has waited for the lock of a policy sees its windows as they are then, and not as they were when it began.
create function policy_windows_now(account text, in_mode mode, policy text) returns json language plpgsql volatile as $$
begin
  return (
    select coalesce(json_object_agg(w.interval, json_build_object('start', w.start, 'end', w.ends_at, 'reserved', w.reserved::text,
      'spent', w.spent::text, 'count', w.count)), '{}')
    from unnest('{day,week,month,year,all_time,created}'::text[]) as each(interval)
    cross join lateral (
      select * from policy_windows l
      where l.account_id = account and l.mode = in_mode and l.policy_id = policy and l.interval = each.interval
      order by l.start desc limit 1) w);
end $$;

-- The version before keeps windows in `policy_counters.windows`, and runs beside this one. What one writes is written for the other, until
-- no version that knows the column runs any more: then the table, its triggers and these functions go.
create function windows_from_counter() returns trigger language plpgsql as $$
begin
  insert into policy_windows as w (account_id, mode, policy_id, interval, start, ends_at, reserved, spent, count)
  select new.account_id, new.mode, new.policy_id, used.key, used.value ->> 'start', (used.value ->> 'end')::timestamptz,
    coalesce((used.value ->> 'reserved')::bigint, 0), coalesce((used.value ->> 'spent')::bigint, 0), (used.value ->> 'count')::int
  from jsonb_each(new.windows) used
  order by used.key collate "C"
  on conflict (account_id, mode, policy_id, interval, start) do update
    set ends_at = excluded.ends_at, reserved = excluded.reserved, spent = excluded.spent, count = excluded.count;
  return null;
end $$;
create trigger windows_of_counter after insert or update of windows on policy_counters for each row
  when (pg_trigger_depth() = 0) execute function windows_from_counter();

create function counter_from_windows() returns trigger language plpgsql as $$
begin
  if exists (select 1 from changed) then
    update policy_counters c
    set windows = jsonb_strip_nulls(policy_windows_now(c.account_id, c.mode, c.policy_id)::jsonb)
    from (select distinct account_id, mode, policy_id from changed) n
    where c.account_id = n.account_id and c.mode = n.mode and c.policy_id = n.policy_id;
  end if;
  return null;
end $$;
create trigger counter_of_new_windows after insert on policy_windows referencing new table as changed for each statement
  when (pg_trigger_depth() = 0) execute function counter_from_windows();
create trigger counter_of_windows after update on policy_windows referencing new table as changed for each statement
  when (pg_trigger_depth() = 0) execute function counter_from_windows();

-- Each policy has a counter, also one that this version makes; the version before inserts one of its own.
create function counter_of_policy() returns trigger language plpgsql as $$
begin
  insert into policy_counters (account_id, mode, policy_id, policy_version, windows)
  values (new.account_id, new.mode, new.id, new.version, '{}') on conflict do nothing;
  return null;
end $$;
create trigger counter_of_policy after insert on policies for each row execute function counter_of_policy();
create function counter_is_there() returns trigger language plpgsql as $$
begin
  if exists (select 1 from policy_counters c
    where c.account_id = new.account_id and c.mode = new.mode and c.policy_id = new.policy_id) then
    return null;
  end if;
  return new;
end $$;
create trigger counter_is_there before insert on policy_counters for each row
  when (pg_trigger_depth() = 0) execute function counter_is_there();

-- The old version's counters are locked by the triggers above until this is committed.
insert into policy_windows (account_id, mode, policy_id, interval, start, ends_at, reserved, spent, count)
select c.account_id, c.mode, c.policy_id, used.key, used.value ->> 'start', (used.value ->> 'end')::timestamptz,
  coalesce((used.value ->> 'reserved')::bigint, 0), coalesce((used.value ->> 'spent')::bigint, 0), (used.value ->> 'count')::int
from policy_counters c cross join lateral jsonb_each(c.windows) used;
