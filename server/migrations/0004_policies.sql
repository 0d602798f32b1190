-- Spending policies, what has been used of their windows, and what is held of them for purchases under way.

create table policies (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  id text collate "C" not null,
  name text not null,
  description text,
  -- Of every amount in `terms`. Never changes once set: the counters add up amounts of it.
  currency text,
  scope_default boolean not null,
  scope_profile_ids text[] not null,
  scope_key_ids text[] not null,
  -- Limits, lists, approval and price drift, as the API shows them.
  terms jsonb not null,
  valid_from timestamptz,
  valid_until timestamptz,
  metadata jsonb not null default '{}',
  version integer not null check (version > 0),
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (account_id, mode, id),
  check (valid_until > valid_from)
);
create index policies_active on policies (account_id, mode, id) where archived_at is null;

-- What each version said: a reservation is judged by the version that granted it.
create table policy_versions (
  account_id text collate "C" not null,
  mode mode not null,
  policy_id text collate "C" not null,
  version integer not null,
  currency text,
  terms jsonb not null,
  created_at timestamptz not null,
  primary key (account_id, mode, policy_id, version),
  foreign key (account_id, mode, policy_id) references policies
);

-- One row per policy: whoever spends under it locks this row, policies in the order of their ids.
create table policy_counters (
  account_id text collate "C" not null,
  mode mode not null,
  policy_id text collate "C" not null,
  -- Moves with policies.version, so that who waited for the lock sees that the terms read before it are old.
  policy_version integer not null,
  -- Of every interval the window that was last used: {start, reserved, spent, count}; under `created` the day's intents.
  windows jsonb not null,
  primary key (account_id, mode, policy_id),
  foreign key (account_id, mode, policy_id) references policies
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);

create table policy_reservations (
  account_id text collate "C" not null,
  mode mode not null,
  intent_id text collate "C" not null,
  policy_id text collate "C" not null,
  -- Counts an intent's reservations under one policy: exchanged and retried ones follow each other.
  number integer not null,
  version integer not null,
  amount bigint not null check (amount >= 0),
  -- How many purchases it counts for: none when an earlier part of the same intent was counted.
  count smallint not null check (count in (0, 1)),
  -- The start of the window of each interval that it was counted in.
  window_starts jsonb not null,
  state text not null check (state in ('reserved', 'settled', 'released', 'exchanged')),
  actual_amount bigint check (actual_amount <= amount),
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (account_id, mode, intent_id, policy_id, number),
  foreign key (account_id, mode, policy_id) references policy_counters,
  check ((state = 'reserved') = (ended_at is null)),
  check ((state = 'settled') = (actual_amount is not null))
) with (fillfactor = 80);
create unique index policy_reservations_open on policy_reservations (account_id, mode, intent_id, policy_id)
  where state = 'reserved';
create index policy_reservations_policy on policy_reservations (account_id, mode, policy_id);
