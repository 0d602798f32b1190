-- What followers of events still have to do. The relay hands an event to all of them at once; one that fails gets a row of its own,
-- in the transaction that takes the event's pointer away, so that the others go on. It is deleted in the transaction that writes what
-- follows. A later event of the same aggregate waits behind it, for this follower alone.
--
-- A relay of the version before knows nothing of these rows, and sets events aside by unrelayed.failures and parked_at instead, which
-- this version leaves unread: it relays what it finds.
create table follower_backlog (
  shard smallint not null,
  follower text collate "C" not null,
  account_id text collate "C" not null,
  mode mode not null,
  aggregate_id text collate "C" not null,
  sequence integer not null,
  event_id text collate "C" not null,
  tries integer not null default 0 check (tries >= 0),
  behind_since timestamptz not null,
  -- The first failed try, the last one, and what it said.
  failing_since timestamptz,
  tried_at timestamptz,
  last_error text,
  -- Equal for all that wait for the same follower and aggregate; minus infinity where a person asked for it.
  due_at timestamptz not null,
  -- Has failed for hours: it is tried once an hour, and people are told.
  parked_at timestamptz,
  primary key (shard, follower, account_id, mode, aggregate_id, sequence),
  check ((failing_since is null) = (tries = 0)),
  check ((tried_at is null) = (tries = 0))
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500);
create index follower_backlog_due on follower_backlog (shard, due_at);
-- What stands in the way of an event: asked by the checks that everything followed.
create index follower_backlog_event on follower_backlog (account_id, mode, event_id);
