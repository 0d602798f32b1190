-- What has served its time is swept away, by one process at a time. A version before this one sweeps nothing and needs nothing of what is
-- swept: it answers as where the row never was.
set local lock_timeout = '400ms';

-- Who sweeps, by the world's clock, and when the next round begins.
create table sweeper (
  one boolean primary key default true check (one),
  holder text,
  lease_until timestamptz not null default '-infinity',
  due_at timestamptz not null default '-infinity'
);
insert into sweeper default values;

-- What each sweep did last. `swept_before` never goes back: what is older may be gone.
create table sweeps (
  name text collate "C" primary key,
  swept_before timestamptz not null,
  began_at timestamptz not null,
  ended_at timestamptz,
  -- Of the last round that ended, and how old the oldest row was; then of all.
  rows bigint not null default 0,
  oldest timestamptz,
  rows_in_all bigint not null default 0
);
