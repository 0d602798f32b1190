-- Audit chains under a key that is not in the database. A row names the range of positions that it is about: events are themselves
-- (one for now), a closing what was chained without a key, an erasure the events that were removed.
alter table audit_entries
  add column scheme smallint not null default 1,
  add column kind text not null default 'events',
  add column range_first bigint,
  add column range_last bigint,
  add column range_count bigint,
  add column key_id text collate "C",
  -- A closing or an erasure is about no event of its own.
  alter column event_id drop not null;
alter table audit_entries
  add constraint audit_entries_keyed check (
    scheme = 1 and event_id is not null
    or scheme > 1 and range_first is not null and range_last is not null and range_count is not null and key_id is not null
  ) not valid;

alter table audit_heads add column scheme smallint not null default 1;

-- Its one row says that every chain has been closed to entries without a key, those that have not begun too.
create table audit_closings (
  singleton boolean primary key default true check (singleton),
  chains bigint not null,
  key_id text collate "C" not null,
  closed_at timestamptz not null
);

-- A relay of the version before goes on until chains are closed. From then on its entries are refused, and the events wait for one that
-- has the key: its chaining fails like that of any follower, and nothing else of it.
create function refuse_unkeyed_audit() returns trigger language plpgsql as $$
begin
  if exists (select from audit_closings)
    or exists (select from audit_heads h where h.account_id = new.account_id and h.mode = new.mode and h.scheme > 1)
  then
    raise exception 'audit chain %/% is closed to entries without a key', new.account_id, new.mode using errcode = 'insufficient_privilege',
      hint = 'A worker of the version before writes such entries. The next one chains these events.';
  end if;
  return new;
end $$;
create trigger refuse_unkeyed before insert on audit_entries for each row when (new.scheme = 1) execute function refuse_unkeyed_audit();
