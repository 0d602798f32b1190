-- What every slice stands on: tenants and their keys, events with their pointers, idempotency, audit, freezes, and time.

create extension if not exists pg_trgm;

create type mode as enum ('test', 'live');

-- Database time. Databases with a test clock replace this function by one that adds an offset row (see platform/clock).
create function prokura_now() returns timestamptz language sql stable parallel safe as $$ select statement_timestamp() $$;

create table accounts (
  id text collate "C" primary key,
  name text not null,
  settings jsonb not null default '{}',
  created_at timestamptz not null
);

create table api_keys (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  id text collate "C" not null,
  kind text not null check (kind in ('secret', 'publishable')),
  name text not null,
  prefix text not null,
  hash bytea not null,
  preset text not null,
  scopes text[] not null,
  origins text[] not null default '{}',
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz,
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, mode, id)
);
-- The door from a token to its tenant.
create unique index api_keys_hash on api_keys (hash);

-- One row per tenant that every release of money locks in share mode and a freeze locks for update.
create table controls (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  frozen boolean not null default false,
  frozen_profile_ids text[] not null default '{}',
  frozen_key_ids text[] not null default '{}',
  seq integer not null default 0,
  updated_at timestamptz not null,
  primary key (account_id, mode)
);

-- Immutable. `object` is the aggregate as its owner reads it; `envelope` the frozen bytes that a recipient's webhooks carry.
create table events (
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  type text not null,
  aggregate_id text collate "C" not null,
  sequence integer not null check (sequence > 0),
  cart_id text collate "C",
  actor_type text not null,
  actor_id text,
  request_id text collate "C" not null,
  object text not null,
  recipient_account_id text collate "C",
  envelope text,
  created_at timestamptz not null,
  primary key (account_id, mode, id),
  unique (account_id, mode, aggregate_id, sequence)
);

-- Present means not relayed yet; the relay deletes the pointer in the transaction that writes what follows. The key's order is how the
-- relay reads: by lane, then by tenant, so that one tenant's backlog is stepped over in one probe, then each aggregate in sequence.
create table unrelayed (
  shard smallint not null,
  lane smallint not null,
  event_id text collate "C" not null,
  account_id text collate "C" not null,
  mode mode not null,
  aggregate_id text collate "C" not null,
  sequence integer not null,
  failures smallint not null default 0,
  parked_at timestamptz,
  primary key (shard, lane, account_id, mode, aggregate_id, sequence)
) with (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 500);
create index unrelayed_parked on unrelayed (shard) where parked_at is not null;

create table relay_shards (
  shard smallint primary key,
  epoch bigint not null default 0,
  holder text,
  lease_until timestamptz not null default '-infinity'
);
insert into relay_shards (shard) select generate_series(0, 15);

create table idempotency_keys (
  account_id text collate "C" not null,
  mode mode not null,
  operation text not null,
  key text not null,
  request_digest bytea not null,
  status smallint not null,
  headers jsonb,
  -- The event whose object is the reply; null where nothing changed and the reply stands in `body`.
  event_id text collate "C",
  object_id text collate "C",
  body text,
  created_at timestamptz not null,
  primary key (account_id, mode, operation, key)
);
create index idempotency_keys_age on idempotency_keys (created_at);

create table audit_heads (
  account_id text collate "C" not null,
  mode mode not null,
  position bigint not null,
  hash bytea not null,
  primary key (account_id, mode)
);

create table audit_entries (
  account_id text collate "C" not null,
  mode mode not null,
  position bigint not null,
  event_id text collate "C" not null,
  actor_type text not null,
  actor_id text,
  action text not null,
  target_id text not null,
  request_id text not null,
  digest bytea not null,
  at timestamptz not null,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (account_id, mode, position),
  unique (account_id, mode, event_id)
);
