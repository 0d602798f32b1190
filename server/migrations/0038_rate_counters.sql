-- When things that may be done so often in a time were done: rates that all processes count together. A row holds no more times than
-- its limit, those of its window. Asked by rare operations only.
--
-- The version before counts nothing and writes nothing here.
create table rate_counters (
  -- The limit, as in the table of limits.
  name text collate "C" not null,
  -- What it is counted for: an account and mode, a destination, a host.
  subject text collate "C" not null,
  taken timestamptz[] not null,
  -- From here on none of the times counts any more.
  expires_at timestamptz not null,
  primary key (name, subject)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
create index rate_counters_expired on rate_counters (expires_at);
