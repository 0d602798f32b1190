-- The schema as one file. Databases begin here, and later changes are migrations of their own. It goes by wings: what every slice stands on,
-- then buyers, policies, selling, buying, trade, webhooks, discovery, and the vault, each table with its indexes and triggers.
--
-- In every table that is changed often, what changes stands behind what does not: an update logs what lies between the first byte that
-- changes and the last one (docs/decisions/0021-what-changes-stands-last.md).

create extension if not exists pg_trgm;

create schema vault;
create schema card_vault;

create type mode as enum ('test', 'live');

-- What a column may hold, as domains. A table's CHECK is parsed again for every statement that writes the table, a domain's once a
-- connection: thirteen of them made a write to purchase_intents cost 80 µs more than the write. Rules over several columns stay CHECKs.
create domain minor_amount as bigint check (value between 0 and 1000000000000);
create domain unsigned_amount as bigint check (value >= 0);
create domain basis_points as integer check (value >= 0);

create domain purchase_intent_status as text check (value in ('awaiting_approval', 'queued', 'approved', 'awaiting_merchant_auth',
  'merchant_auth_failed', 'succeeded', 'failed', 'cancelled', 'declined'));
create domain price_exceed_answer as text check (value in ('reapprove', 'fail'));
create domain policy_result as text check (value in ('allow', 'require_approval', 'deny'));

create domain buying_channel as text check (value in ('native', 'ucp', 'mpp', 'browser', 'simulated'));
create domain cart_status as text check (
  value in ('created', 'in_progress', 'awaiting_merchant_auth', 'succeeded', 'failed', 'cancelled'));

create domain effect_step as text check (
  value in ('authorize', 'issue_credential', 'place', 'capture', 'void', 'revoke', 'refund'));
create domain effect_state as text check (value in ('unsent', 'sent', 'unknown', 'done', 'refused', 'closed'));
create domain effect_heard as text check (value in ('nothing', 'not_found', 'pending', 'closed'));

create domain order_status as text check (
  value in ('awaiting_confirmation', 'confirmed', 'rejected', 'expired', 'cancelled', 'fulfilling', 'completed'));
create domain order_payment_status as text check (
  value in ('authorized', 'captured', 'partially_refunded', 'refunded', 'voided', 'failed'));

create domain quote_status as text check (
  value in ('pending', 'quoted', 'declined', 'requires_input', 'failed', 'expired', 'ordered', 'cancelled'));

create domain integration_check_kind as text check (value in ('quote', 'order'));
create domain integration_check_status as text check (value in ('queued', 'running', 'passed', 'failed'));
create domain domain_verification_status as text check (value in ('pending', 'passed', 'failed'));

create domain registry_channel as text check (value in ('ucp', 'mpp', 'browser'));

-- # Time, work and what is never removed

-- Database time. Databases with a test clock replace this function by one that adds an offset row (see platform/clock).
create function prokura_now() returns timestamptz language sql stable parallel safe as $$ select statement_timestamp() $$;

-- Work is claimed tenant by tenant in turn, however much one of them has. What was due when it was written is found by its tenant: a claim
-- steps from one tenant that has work to do to the next. What is to be done later is found by its time, and marked once it has come and is
-- not claimed at once. `is_due` says in which of the two a row stands, and null that nothing is to be done; whether it is due is said by
-- `due_at` alone. The indexes have the time as an expression: one by time alone would do for a claim that asks for one tenant, and lead
-- past everybody else's rows.
--
-- No condition stands at a trigger: it would be planned anew in every statement, which costs more than the call.
create function note_due() returns trigger language plpgsql as $$
begin
  if new.due_at is distinct from old.due_at then
    new.is_due := new.due_at <= prokura_now();
  end if;
  return new;
end
$$;

create function note_due_of_new() returns trigger language plpgsql as $$
begin
  new.is_due := new.due_at <= prokura_now();
  return new;
end
$$;

-- A purchase writes rows whose parents its own transaction holds or has just read, and foreign keys would look for each of these parents once
-- more, by a locked read. So parents are never removed, which is refused whoever tries, and invariants M10 and M10-orders look for rows
-- without their parents.
create function refuse_removal() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are not removed: purchases refer to them', tg_table_name
    using errcode = 'restrict_violation', constraint = tg_name;
end
$$;

-- A purchase that policies allow unattended is decided from what was read without a lock, and held under the locks of what it was decided
-- from. When that has changed in between, its transaction ends here, like one that cannot be serialized: nothing is written, and the call
-- is run again.
create function refuse_stale_decision() returns boolean language plpgsql as $$
begin
  raise exception 'what a purchase was decided from has changed' using errcode = 'serialization_failure';
end
$$;

-- Workers that live, by the world's clock. `serves` holds the kinds of work that one does, those of purchases with the mode and the
-- way of buying: `quotes`, `refunds test`, `carts test native`.
create table workers (
  id text collate "C" primary key,
  serves text[] not null,
  started_at timestamptz not null,
  seen_at timestamptz not null
);

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

-- # Events, and what follows from them

-- Immutable. `object` is the aggregate as its owner reads it; `envelope` the frozen bytes that a recipient's webhooks carry. One change often
-- makes several events that show the same object: it stands once, and the others say where (`object_at`, the sequence of the one that has
-- it). Events are found by their aggregate and sequence, by everybody: an index by id cost each event as much as its row.
create table event_rows (
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  type text not null,
  aggregate_id text collate "C" not null,
  sequence integer not null constraint events_sequence_check check (sequence > 0),
  cart_id text collate "C",
  actor_type text not null,
  actor_id text,
  request_id text collate "C" not null,
  object text,
  recipient_account_id text collate "C",
  envelope text,
  created_at timestamptz not null,
  object_at integer,
  -- How the object stands here: 1, as text. Others may come, without a rewrite.
  object_form smallint not null default 1 check (object_form = 1),
  constraint events_account_id_mode_aggregate_id_sequence_key unique (account_id, mode, aggregate_id, sequence),
  constraint event_rows_object check ((object is null) = (object_at is not null))
);

-- Every event with its object, for everybody who reads.
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
-- What the relay has still to do, one row for each transaction and aggregate. `is_delivered`: the transaction wrote the deliveries of its
-- events itself. `is_followed`: no other follower wants them either, so that only the audit chain is left, which needs no more than
-- `digests`, 32 bytes for each event. The key's order is how the relay reads: by lane, then by tenant, so that one tenant's backlog is
-- stepped over in one probe, then each aggregate in sequence.
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

create function pass_pointer_on() returns trigger language plpgsql as $$
begin
  insert into outbox (shard, lane, account_id, mode, aggregate_id, first_sequence, last_sequence, is_delivered, is_followed, created_at)
  values (new.shard, new.lane, new.account_id, new.mode, new.aggregate_id, new.sequence, new.sequence, false, false, prokura_now());
  return null;
end
$$;

-- Where a process that does not know the outbox puts its events: a trigger passes them on. Its relay finds its shards taken.
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
create trigger pass_pointer_on before insert on unrelayed for each row execute function pass_pointer_on();

create table relay_shards (
  shard smallint primary key,
  epoch bigint not null default 0,
  holder text,
  lease_until timestamptz not null default '-infinity'
);

insert into relay_shards (shard, epoch, holder, lease_until) select generate_series(0, 15), 1, 'a later version', 'infinity';

-- What followers of events still have to do. The relay hands an event to all of them at once; one that fails gets a row of its own,
-- in the transaction that takes the event's pointer away, so that the others go on. It is deleted in the transaction that writes what
-- follows. A later event of the same aggregate waits behind it, for this follower alone.
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

-- # Idempotency and rates

-- What tells two requests under one idempotency key apart is a keyed digest: from an unkeyed one whoever read the table could guess what a
-- request held (a date of birth, a one-time code). `digest_key` names the key, so that a rotation leaves earlier rows comparable.
create table idempotency_keys (
  account_id text collate "C" not null,
  mode mode not null,
  operation text not null,
  key text not null,
  request_digest bytea,
  status smallint not null,
  headers jsonb,
  -- The event whose object is the reply; null where nothing changed and the reply stands in `body`.
  event_id text collate "C",
  object_id text collate "C",
  body text,
  created_at timestamptz not null,
  keyed_digest bytea,
  digest_key text collate "C",
  -- Whose event is the reply, where that is not the object that the reply shows.
  event_aggregate_id text collate "C",
  primary key (account_id, mode, operation, key),
  constraint idempotency_keys_digest check (
    (keyed_digest is null) = (digest_key is null) and (keyed_digest is not null or request_digest is not null)
  )
);
create index idempotency_keys_age on idempotency_keys (created_at);

-- Until when rows carry the unkeyed digest, too; minus infinity once none carries both.
create table idempotency_digests (
  one boolean primary key default true check (one),
  unkeyed_until timestamptz not null
);

insert into idempotency_digests (unkeyed_until) values ('-infinity');

-- When things that may be done so often in a time were done: rates that all processes count together. A row holds no more times than
-- its limit, those of its window. Asked by rare operations only.
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

-- # Audit and keys

-- Audit chains are signed with a key that is not in the database. Here each ends.
create table audit_heads (
  account_id text collate "C" not null,
  mode mode not null,
  position bigint not null,
  hash bytea not null,
  scheme smallint not null default 1,
  primary key (account_id, mode)
);

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

-- A row names the range of positions that it is about: events are themselves, a closing what was chained without a key, an erasure the
-- events that were removed.
create table audit_entries (
  account_id text collate "C" not null,
  mode mode not null,
  position bigint not null,
  event_id text collate "C",
  actor_type text not null,
  actor_id text,
  action text not null,
  target_id text not null,
  request_id text not null,
  digest bytea not null,
  at timestamptz not null,
  previous_hash bytea not null,
  hash bytea not null,
  -- 1: without a key.
  scheme smallint not null default 1,
  kind text not null default 'events',
  range_first bigint,
  range_last bigint,
  range_count bigint,
  key_id text collate "C",
  primary key (account_id, mode, position),
  unique (account_id, mode, event_id),
  constraint audit_entries_keyed check (
    scheme = 1 and event_id is not null
    or scheme > 1 and range_first is not null and range_last is not null and range_count is not null and key_id is not null
  )
);
create trigger refuse_unkeyed before insert on audit_entries for each row when (new.scheme = 1) execute function refuse_unkeyed_audit();

-- Many events of a chain in one row, under one signature. Batches and entries are one chain: both take the position and the hash from the
-- head, whose row they lock.
create table audit_batches (
  account_id text collate "C" not null,
  mode mode not null,
  first_position bigint not null,
  last_position bigint not null,
  scheme smallint not null,
  key_id text collate "C" not null,
  -- The events in order: of each aggregate the sequences from the first to the last.
  aggregate_ids text[] collate "C" not null,
  first_sequences integer[] not null,
  last_sequences integer[] not null,
  -- 32 bytes for each event, in the same order.
  digests bytea not null,
  at timestamptz not null,
  previous_hash bytea not null,
  hash bytea not null,
  primary key (account_id, mode, last_position),
  constraint audit_batches_whole check (
    octet_length(digests) = 32 * (last_position - first_position + 1)
    and cardinality(aggregate_ids) = cardinality(first_sequences) and cardinality(aggregate_ids) = cardinality(last_sequences)
  )
-- Digests do not get smaller by compression, and a second table for those of larger batches would cost more than the row.
) with (toast_tuple_target = 8160);

alter table audit_batches alter column digests set storage external;

-- Which encryption keys the database needs: what was sealed, hashed or signed under another one opens nowhere.
create table key_marks (
  key_id text collate "C" primary key,
  -- The oldest one: tokens are hashed under it.
  is_root boolean not null,
  -- A digest of the id under the key itself: another key of the same id does not make it.
  proof bytea not null,
  marked_at timestamptz not null
);
create unique index key_marks_root on key_marks (is_root) where is_root;

-- The keys by which the service signs what it sends to other services: one after the other, in generations.
create table signing_keys (
  -- One generation has one key: of two processes that make the next one at once, one wins.
  generation integer primary key check (generation > 0),
  -- The RFC 7638 thumbprint of the public key.
  kid text collate "C" not null unique,
  public_jwk jsonb not null,
  -- The private key; null once it is removed.
  sealed bytea,
  created_at timestamptz not null,
  -- Published at once, and used from here on: by then nobody holds a copy of our profile without it.
  signs_from timestamptz not null,
  removed_at timestamptz,
  check ((sealed is null) = (removed_at is not null))
);

-- # Accounts, buyers, and the agents that act for them
create table accounts (
  id text collate "C" primary key,
  name text not null,
  settings jsonb not null default '{}',
  created_at timestamptz not null
);

-- Tenants of whom somebody is told their own events. The relay asks for each event whether its tenant stands here, and does nothing
-- more for those who do not; nobody who stands here ever leaves.
create table event_listeners (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  since timestamptz not null,
  primary key (account_id, mode)
);

-- The end customers of record. Addresses belong to the profile and are read with it, hence in its row.
create table profiles (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  id text collate "C" not null,
  profile_type text not null,
  first_name text not null,
  -- Of a person who has one name, it is the first one.
  last_name text,
  email text not null,
  phone text,
  -- Sealed; only its presence is ever shown.
  dob_sealed bytea,
  country text not null,
  status text not null check (status in ('pending', 'active', 'restricted', 'suspended', 'archived')),
  issuing_state text not null check (
    issuing_state in ('not_requested', 'pending_requirements', 'in_review', 'enabled', 'rejected', 'disabled')),
  issuing_requirements text[] not null default '{}',
  addresses jsonb not null default '[]',
  metadata jsonb not null default '{}',
  search text generated always as (
    lower(first_name || ' ' || coalesce(last_name || ' ', '') || email || ' ' || coalesce(phone, '') || ' ' || id)) stored,
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (account_id, mode, id)
);
create index profiles_search on profiles using gin (search gin_trgm_ops);

-- Cards of payment methods, sealed record by record. They have no way back out through the API.
create table vault.cards (
  account_id text collate "C" not null,
  mode mode not null,
  -- Our token form; opaque outside the vault.
  token text collate "C" not null,
  sealed bytea not null,
  created_at timestamptz not null,
  primary key (account_id, mode, token)
);

create table payment_methods (
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  profile_id text collate "C" not null,
  type text not null check (type in ('card')),
  is_default boolean not null,
  label text,
  billing_address_id text collate "C",
  card_kind text not null check (card_kind in ('existing', 'issued')),
  card_brand text not null,
  card_last4 text not null,
  card_exp_month smallint not null,
  card_exp_year smallint not null,
  vault_token text collate "C" not null,
  -- The listed identifier a test-mode card stands for; null for cards from the component.
  test_card text,
  enrollment_requested boolean not null,
  agentic_status text not null check (
    agentic_status in ('not_requested', 'pending_verification', 'active', 'ineligible', 'rejected', 'suspended')),
  -- What a pending enrolment waits for, in order; empty when it waits for nothing.
  pending_steps text[] not null default '{}',
  failed_verifications smallint not null default 0,
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (account_id, mode, id),
  foreign key (account_id, mode, profile_id) references profiles (account_id, mode, id)
);
create index payment_methods_profile on payment_methods (account_id, mode, profile_id, id);
create unique index payment_methods_one_default on payment_methods (account_id, mode, profile_id)
  where is_default and deleted_at is null;

-- Links with which a person fills in a profile on a page of ours. The token is in the link alone; here stands its hash.
create table onboarding_links (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  id text collate "C" not null,
  use_case text not null check (use_case in ('account_onboarding', 'account_update')),
  -- Of an account_onboarding it is reserved: there is no such profile before the form is sent.
  profile_id text collate "C" not null,
  status text not null check (status in ('pending', 'opened', 'completed', 'expired', 'revoked')),
  token_hash bytea not null,
  -- What the token was exchanged for, once.
  session_hash bytea,
  expires_at timestamptz not null,
  session_expires_at timestamptz,
  metadata jsonb not null,
  due_at timestamptz,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  opened_at timestamptz,
  completed_at timestamptz,
  revoked_at timestamptz,
  step_failures integer not null default 0,
  step_failing_since timestamptz,
  step_error text,
  is_due boolean,
  primary key (account_id, mode, id),
  check ((status in ('pending', 'opened')) = (due_at is not null)),
  check ((session_hash is null) = (session_expires_at is null)),
  check ((session_hash is null) = (opened_at is null)),
  check (status not in ('opened', 'completed') or session_hash is not null),
  check ((status = 'completed') = (completed_at is not null)),
  check ((status = 'revoked') = (revoked_at is not null))
);
-- The doors: from a token, and from the session it was exchanged for, to their tenant.
create unique index onboarding_links_token on onboarding_links (token_hash);
create unique index onboarding_links_session on onboarding_links (session_hash) where session_hash is not null;
create index onboarding_links_due on onboarding_links (due_at) where due_at is not null;
create index onboarding_links_of_profile on onboarding_links (account_id, mode, profile_id, id);
create index onboarding_links_due_of_tenant on onboarding_links (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
create index onboarding_links_due_later on onboarding_links (mode, coalesce(due_at, 'infinity')) where not is_due;

-- The principal that keys belong to: what policies and freezes name, and who acts in events. Its keys may come and go.
create table agents (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  id text collate "C" not null,
  name text not null,
  -- The one customer that it acts for. Never changes.
  profile_id text collate "C",
  -- Where its keys went, and what its id has meant since.
  joined_into text collate "C",
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, mode, id),
  foreign key (account_id, mode, profile_id) references profiles,
  foreign key (account_id, mode, joined_into) references agents
);

-- The triggers from here to `keep_freeze_in_step` are for processes that know key ids alone, in policies.scope_key_ids and
-- controls.frozen_key_ids; ours know agents alone, in the columns beside them. Each pair is kept in step, whoever writes: the key ids are
-- always those of all keys of the agents.
create function give_key_its_agent() returns trigger language plpgsql as $$
declare
  rolled record;
begin
  if new.agent_id is null then
    -- Issued by the version before this one. When that rolls a key, the old one was revoked in the same transaction, at the same time.
    select k.agent_id, a.profile_id into rolled
    from api_keys k
    join agents a on a.account_id = k.account_id and a.mode = k.mode and a.id = k.agent_id
    where k.account_id = new.account_id and k.mode = new.mode and k.revoked_at = new.created_at
      and k.kind = new.kind and k.name = new.name and k.preset = new.preset
    limit 1;
    if found then
      new.agent_id := rolled.agent_id;
      if rolled.profile_id is not null then new.hash := sha256(new.hash); end if;
    else
      new.agent_id := 'agent_' || substr(new.id, 5);
      insert into agents (account_id, mode, id, name, seq, created_at, updated_at)
      values (new.account_id, new.mode, new.agent_id, new.name, 0, new.created_at, new.created_at);
    end if;
  end if;
  perform 1 from agents where account_id = new.account_id and mode = new.mode and id = new.agent_id for no key update;
  return new;
end
$$;

-- Control before policies, and policies by id: everybody's order.
create function name_key_beside_its_agent() returns trigger language plpgsql as $$
begin
  update controls set frozen_key_ids = frozen_key_ids || new.id
  where account_id = new.account_id and mode = new.mode and new.agent_id = any(frozen_agent_ids) and new.id <> all(frozen_key_ids);
  perform 1 from policies
  where account_id = new.account_id and mode = new.mode and new.agent_id = any(scope_agent_ids) order by id for no key update;
  update policies set scope_key_ids = scope_key_ids || new.id
  where account_id = new.account_id and mode = new.mode and new.agent_id = any(scope_agent_ids) and new.id <> all(scope_key_ids);
  return null;
end
$$;

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
  agent_id text collate "C" not null,
  primary key (account_id, mode, id),
  foreign key (account_id, mode, agent_id) references agents
);
-- The door from a token to its tenant.
create unique index api_keys_hash on api_keys (hash);
create trigger give_key_its_agent before insert on api_keys for each row execute function give_key_its_agent();
create trigger name_key_beside_its_agent after insert or update of agent_id on api_keys
  for each row execute function name_key_beside_its_agent();

-- One row per tenant that every release of money locks in share mode and a freeze locks for update.
create table controls (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  frozen boolean not null default false,
  frozen_profile_ids text[] not null default '{}',
  frozen_key_ids text[] not null default '{}',
  seq integer not null default 0,
  updated_at timestamptz not null,
  frozen_agent_ids text[] not null default '{}',
  primary key (account_id, mode)
);

-- # Policies

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
  scope_key_ids text[] not null default '{}',
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
  scope_agent_ids text[] not null default '{}',
  -- The time zone that the policy names, and the one that its windows are of: its own, or the account's when one of the two was last set.
  timezone text,
  zone text not null default 'UTC',
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
  zone text not null default 'UTC',
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
  count smallint not null check (count >= 0),
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

-- In the order of the keys. A key that is not there (nothing deletes one) would have had this agent.
create function agents_of_keys(account text, in_mode mode, keys text[]) returns text[] language sql stable as $$
  select coalesce(array_agg(agent order by first_place), '{}') from (
    select coalesce(k.agent_id, 'agent_' || substr(named.id, 5)) as agent, min(named.place) as first_place
    from unnest(keys) with ordinality as named (id, place)
    left join api_keys k on k.account_id = account and k.mode = in_mode and k.id = named.id
    group by 1) as found
$$;

-- Revoked ones too: a purchase stays that of the key that made it. Never none, which would be no restriction: then the agents, which match
-- no key. Holds the agents, so that a key that is issued meanwhile waits, and finds what names its agent.
create function keys_of_agents(account text, in_mode mode, agent_ids text[]) returns text[] language plpgsql as $$
declare
  keys text[];
begin
  perform 1 from agents where account_id = account and mode = in_mode and id = any(agent_ids) order by id for share;
  select array_agg(id order by id) into keys
  from api_keys where account_id = account and mode = in_mode and agent_id = any(agent_ids);
  return coalesce(keys, agent_ids);
end
$$;

-- Who changes key ids alone knows nothing of agents. A key stands for its agent, with all keys of it.
create function keep_scope_in_step() returns trigger language plpgsql as $$
declare
  is_by_keys boolean;
begin
  if tg_op = 'INSERT' then
    -- Both: a copy that is restored.
    if cardinality(new.scope_agent_ids) > 0 and cardinality(new.scope_key_ids) > 0 then return new; end if;
    is_by_keys := cardinality(new.scope_agent_ids) = 0;
  else
    is_by_keys := new.scope_agent_ids = old.scope_agent_ids and new.scope_key_ids <> old.scope_key_ids;
  end if;
  if is_by_keys then new.scope_agent_ids := agents_of_keys(new.account_id, new.mode, new.scope_key_ids); end if;
  new.scope_key_ids := keys_of_agents(new.account_id, new.mode, new.scope_agent_ids);
  return new;
end
$$;

create trigger keep_scope_in_step before insert or update of scope_key_ids, scope_agent_ids on policies
  for each row when (pg_trigger_depth() = 0) execute function keep_scope_in_step();
-- As above, but that a key which is unfrozen unfreezes its agent.
create function keep_freeze_in_step() returns trigger language plpgsql as $$
declare
  unfrozen text[];
begin
  if new.frozen_agent_ids = old.frozen_agent_ids and new.frozen_key_ids <> old.frozen_key_ids then
    unfrozen := agents_of_keys(new.account_id, new.mode, array(
      select id from unnest(old.frozen_key_ids) as id where id <> all(new.frozen_key_ids)));
    new.frozen_agent_ids := array(
      select id from unnest(agents_of_keys(new.account_id, new.mode, new.frozen_key_ids)) as id where id <> all(unfrozen));
  end if;
  new.frozen_key_ids := keys_of_agents(new.account_id, new.mode, new.frozen_agent_ids);
  return new;
end
$$;

create trigger keep_freeze_in_step before update of frozen_key_ids, frozen_agent_ids on controls
  for each row when (pg_trigger_depth() = 0) execute function keep_freeze_in_step();

-- # Selling

-- What an account is as a seller: at most one record per mode, and the items it sells.
create table merchants (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  slug text,
  domain text check (domain = lower(domain)),
  -- Null: the domain is only claimed, and routes nobody's purchases but the account's own.
  domain_verified_at timestamptz,
  -- Published by whoever controls the domain; no secret.
  verification_token text not null,
  name text,
  mcc text check (mcc ~ '^[0-9]{4}$'),
  country text,
  currency text,
  tax_basis_points integer not null check (tax_basis_points between 0 and 10000),
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- The category and the country that count in live mode. Each counts as long as the merchant claims exactly it.
  -- Without a time nobody has looked at it.
  mcc_confirmed text,
  mcc_confirmed_at timestamptz,
  country_confirmed text,
  country_confirmed_at timestamptz,
  -- The domain that counts as verified because test mode shares reserved names out. It means something only while it is `domain`, and
  -- verified.
  test_domain text,
  primary key (account_id, mode)
);
create unique index merchants_slug on merchants (mode, slug);
create unique index merchants_verified_domain on merchants (mode, domain) where domain_verified_at is not null;
create index merchants_domain on merchants (mode, domain);
create index merchants_listed on merchants
  (mode, lower(coalesce(name, slug, domain, account_id)), account_id) where slug is not null and domain_verified_at is not null;
create index merchants_listed_unverified on merchants
  (mode, lower(coalesce(name, slug, domain, account_id)), account_id) where slug is not null and domain_verified_at is null;

-- The last look at the proof that a merchant published, at most one row per merchant. It speaks of the merchant as long as domain and
-- token are still the merchant's.
create table domain_verifications (
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  domain text not null,
  token text not null,
  status domain_verification_status not null,
  detail text,
  checked_at timestamptz,
  -- The proof of a verified domain has been missing since then.
  failing_since timestamptz,
  -- Since then the domain no longer counts as verified.
  lapsed_at timestamptz,
  -- How often somebody asked, and how often that was when it was last looked at.
  asked integer not null,
  answered integer not null default 0,
  due_at timestamptz,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  step_failures integer not null default 0,
  step_failing_since timestamptz,
  step_error text,
  is_due boolean,
  primary key (account_id, mode, id),
  foreign key (account_id, mode) references merchants (account_id, mode)
);
create unique index domain_verifications_one on domain_verifications (account_id, mode);
create index domain_verifications_due on domain_verifications (due_at) where due_at is not null;
create index domain_verifications_due_of_tenant on domain_verifications (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
create index domain_verifications_due_later on domain_verifications (mode, coalesce(due_at, 'infinity')) where not is_due;

-- A purchase finds an item by its URL without `www.`, without a slash at the end of the path and without tracking parameters. `url_key` stays
-- as it is: it is what is unique. So the form is made of it where it is asked for. `comparableUrl` makes the same; another list of
-- parameters is another function and another index.
create function prokura_comparable_url(url_key text) returns text language sql immutable parallel safe as $$
  select regexp_replace(rtrim(split_part(url_key, '?', 1), '/'), '^(https?://)(?:www\.)+(?=[^/:]+\.)', '\1') ||
    coalesce('?' || substr(nullif(regexp_replace(
      case when strpos(url_key, '?') = 0 then '' else '&' || substr(url_key, strpos(url_key, '?') + 1) end,
      '&(?:utm_[^=&]*|gclid|gclsrc|gbraid|wbraid|dclid|fbclid|msclkid|srsltid|ttclid|twclid|yclid|igshid|li_fat_id|epik|mc_cid|mc_eid|_ga|_gl|ref)(?:=[^&]*)?(?=&|$)',
      '', 'gi'), ''), 2), '')
$$;

-- Variants belong to the item, are written with it and read with it, hence in its row.
create table catalog_items (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  id text collate "C" not null,
  handle text,
  title text,
  description text,
  url text,
  -- The URL as purchases are matched by it: host in lower case, without fragment and utm_* parameters.
  url_key text,
  item_type text not null check (item_type in ('product', 'digital', 'service', 'booking', 'subscription', 'api')),
  categories text[] not null,
  media jsonb not null,
  options jsonb not null,
  variants jsonb not null,
  status text not null check (status in ('draft', 'published', 'archived')),
  metadata jsonb not null,
  search text generated always as (
    lower(coalesce(title, '') || ' ' || coalesce(handle, '') || ' ' || coalesce(url, '') || ' ' || id || ' ' ||
      -- As JSON text, but for the quotes inside it.
      replace(jsonb_path_query_array(variants, '$[*].id')::text || jsonb_path_query_array(variants, '$[*].sku')::text ||
        jsonb_path_query_array(variants, '$[*].barcode')::text || jsonb_path_query_array(variants, '$[*].title')::text,
        '\"', '"'))) stored,
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  published_at timestamptz,
  archived_at timestamptz,
  -- What a buyer must say before this item can be priced.
  required_inputs jsonb not null default '[]',
  primary key (account_id, mode, id),
  check (status <> 'published' or (title is not null and jsonb_array_length(variants) > 0))
);
-- An archived item gives its handle and its URL free.
create unique index catalog_items_handle on catalog_items (account_id, mode, handle) where status <> 'archived';
create unique index catalog_items_url on catalog_items (account_id, mode, url_key) where status <> 'archived';
create index catalog_items_search on catalog_items using gin (search gin_trgm_ops);
create index catalog_items_variants on catalog_items using gin (variants jsonb_path_ops);
-- A quote names an item of whoever sells it by its id alone.
create index catalog_items_published on catalog_items (mode, id) where status = 'published';
create index catalog_items_comparable_url
  on catalog_items (account_id, mode, prokura_comparable_url(url_key)) where status = 'published';

-- Files that merchants put their catalogue in with. The file is kept in pieces until it has been worked through; the row is the job,
-- and its cursor is committed with every batch of items, so that whoever takes over begins exactly behind it.
create table catalog_imports (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  id text collate "C" not null,
  status text not null check (status in ('queued', 'running', 'completed', 'failed', 'cancelled')),
  format text not null check (format in ('json_lines', 'csv')),
  publish boolean not null,
  bytes bigint not null check (bytes >= 0),
  -- Where the next item begins: the byte, the line, and what the columns are called.
  read_bytes bigint not null default 0 check (read_bytes between 0 and bytes),
  read_lines integer not null default 0,
  columns text[],
  rows integer not null default 0,
  created integer not null default 0,
  updated integer not null default 0,
  unchanged integer not null default 0,
  failed integer not null default 0,
  -- Faults that are kept; of a file that is all faults, the first ten thousand.
  errors_kept integer not null default 0,
  failure text,
  seq integer not null,
  due_at timestamptz,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  started_at timestamptz,
  completed_at timestamptz,
  step_failures integer not null default 0,
  step_failing_since timestamptz,
  step_error text,
  is_due boolean,
  primary key (account_id, mode, id),
  constraint catalog_imports_counted check (rows = created + updated + unchanged + failed),
  check ((status in ('queued', 'running')) = (due_at is not null)),
  check ((status = 'failed') = (failure is not null))
);
create index catalog_imports_due on catalog_imports (due_at) where due_at is not null;
-- One of a tenant after the other.
create index catalog_imports_waiting on catalog_imports (account_id, mode, created_at, id) where due_at is not null;
create index catalog_imports_due_of_tenant on catalog_imports (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
create index catalog_imports_due_later on catalog_imports (mode, coalesce(due_at, 'infinity')) where not is_due;

-- Large files that are being taken in. Their pieces are written as they come, each in a transaction of its own, so that a slow sender
-- holds no connection of the database; the row says that pieces without an import may still get one. It goes with the transaction that
-- makes the import. What never comes to that is swept, row and pieces.
create table catalog_import_uploads (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  import_id text collate "C" not null,
  begun_at timestamptz not null,
  primary key (account_id, mode, import_id)
);
create index catalog_import_uploads_begun on catalog_import_uploads (begun_at);

-- All of one size but the last, so that the piece with a given byte is known.
create table catalog_import_pieces (
  account_id text collate "C" not null,
  mode mode not null,
  import_id text collate "C" not null,
  position integer not null,
  content bytea not null,
  primary key (account_id, mode, import_id, position)
);

alter table catalog_import_pieces alter column content set storage external;

create table catalog_import_errors (
  account_id text collate "C" not null,
  mode mode not null,
  import_id text collate "C" not null,
  position integer not null,
  line integer not null,
  loc jsonb not null,
  type text not null,
  msg text not null,
  primary key (account_id, mode, import_id, position),
  foreign key (account_id, mode, import_id) references catalog_imports
);

-- Where a merchant sells, from where, and what delivery costs there.
create table business_locations (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  id text collate "C" not null,
  name text not null,
  address jsonb not null,
  timezone text not null,
  visibility text not null check (visibility in ('private', 'public')),
  hours jsonb not null,
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  -- The provider that the location is synchronized from, and the fields that are its own.
  source_provider text,
  source_fields text[] not null,
  status text not null check (status in ('active', 'archived')),
  metadata jsonb not null,
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (account_id, mode, id),
  check ((latitude is null) = (longitude is null)),
  check ((status = 'archived') = (archived_at is not null))
);

create table markets (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  id text collate "C" not null,
  code text not null,
  name text not null,
  currency text not null,
  default_locale text not null,
  locales text[] not null,
  include jsonb not null,
  exclude jsonb not null,
  priority integer not null,
  is_fallback boolean not null,
  status text not null check (status in ('active', 'archived')),
  metadata jsonb not null,
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (account_id, mode, id),
  check ((status = 'archived') = (archived_at is not null))
);
-- An archived market gives its code free.
create unique index markets_code on markets (account_id, mode, lower(code)) where status <> 'archived';
create unique index markets_one_fallback on markets (account_id, mode) where is_fallback and status <> 'archived';

-- What the markets that are not archived include, taken apart: a country, one of its subdivisions or all ('') and the beginning of a postal
-- code or any (''). Two regions of one specificity overlap only where they are equal, so that the key is the rule against overlaps.
create table market_regions (
  account_id text collate "C" not null,
  mode mode not null,
  country text collate "C" not null,
  subdivision text collate "C" not null,
  postal_prefix text collate "C" not null,
  priority integer not null,
  market_id text collate "C" not null,
  constraint market_regions_overlap primary key (account_id, mode, country, subdivision, postal_prefix, priority),
  foreign key (account_id, mode, market_id) references markets
);
create index market_regions_market on market_regions (account_id, mode, market_id);

create function rate_card_places(zones jsonb)
returns table (place_position integer, country text, subdivision text, postal_prefix text, city text, radius_km double precision)
language sql immutable as $$
  select distinct (z.number - 1)::integer, z.zone ->> 'country',
    case when z.zone ->> 'subdivision' is null then ''
      else coalesce(nullif(regexp_replace(
        upper(btrim(z.zone ->> 'subdivision') collate "C"), '^' || (z.zone ->> 'country') || '-', ''), ''), '?') end,
    coalesce(translate(upper(p.prefix collate "C"), ' -', ''), ''),
    z.zone ->> 'city', (z.zone ->> 'radius_km')::double precision
  from jsonb_array_elements(zones) with ordinality as z (zone, number)
  left join lateral jsonb_array_elements_text(z.zone -> 'postal_prefixes') as p (prefix) on true
  union all
  select 0, '', '', '', null, null where zones = '[]'
$$;

create function spread_rate_card_zones() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from rate_card_zones where account_id = old.account_id and mode = old.mode and rate_card_id = old.id;
  end if;
  if new.status = 'active' then
    insert into rate_card_zones (account_id, mode, rate_card_id, position, country, subdivision, postal_prefix, city, radius_km)
    select new.account_id, new.mode, new.id, places.* from rate_card_places(new.zones) as places
    on conflict do nothing;
  end if;
  return null;
end
$$;

create table rate_cards (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  id text collate "C" not null,
  name text not null,
  fulfillment_type text not null check (fulfillment_type in ('shipping', 'delivery', 'pickup', 'digital', 'service')),
  provider text,
  currency text not null,
  market_ids text[] not null,
  timing jsonb not null,
  rate jsonb not null,
  zones jsonb not null,
  labels text[] not null,
  location_ids text[] not null,
  status text not null check (status in ('draft', 'active', 'inactive', 'archived')),
  metadata jsonb not null,
  search text generated always as (lower(name || ' ' || coalesce(provider, '') || ' ' || id)) stored,
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (account_id, mode, id),
  check ((status = 'archived') = (archived_at is not null))
);
create index rate_cards_active on rate_cards (account_id, mode, fulfillment_type) where status = 'active';
create index rate_cards_search on rate_cards using gin (search gin_trgm_ops);
create index rate_cards_market on rate_cards using gin (market_ids);
create trigger spread_rate_card_zones after insert on rate_cards for each row execute function spread_rate_card_zones();
create trigger spread_rate_card_zones_again after update of zones, status on rate_cards for each row
  when (old.zones is distinct from new.zones or old.status is distinct from new.status) execute function spread_rate_card_zones();

-- A backup brings the cards and these rows, in any order: what is written by itself replaces what a card has brought.
create function replace_rate_card_zone() returns trigger language plpgsql as $$
begin
  delete from rate_card_zones where account_id = new.account_id and mode = new.mode and rate_card_id = new.rate_card_id
    and position = new.position and postal_prefix = new.postal_prefix;
  return new;
end
$$;

-- Where the active rate cards go to, taken apart, so that of a merchant's cards no more leaves the database than an address can need: the
-- zone's place in the card's list, a country, one of its subdivisions or any (''), and the beginning of a postal code or any (''), in the
-- form in which places are compared. A card without zones goes everywhere: one row without a country. A subdivision that is written as
-- nothing but its country is '?', which is in no address. A trigger keeps them.
create table rate_card_zones (
  account_id text collate "C" not null,
  mode mode not null,
  rate_card_id text collate "C" not null,
  position integer not null,
  country text collate "C" not null,
  subdivision text collate "C" not null,
  postal_prefix text collate "C" not null,
  city text,
  radius_km double precision,
  -- No key to the card refers here: thousands of rows would be checked one by one that nobody but the card's own trigger writes.
  primary key (account_id, mode, rate_card_id, position, postal_prefix)
);
create index rate_card_zones_place on rate_card_zones (account_id, mode, country, postal_prefix, subdivision);
create trigger replace_rate_card_zone before insert on rate_card_zones for each row
  when (pg_trigger_depth() = 0) execute function replace_rate_card_zone();

-- Offers beside the catalog's prices, and their uses.
create table promotions (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  id text collate "C" not null,
  name text not null,
  status text not null check (status in ('draft', 'scheduled', 'active', 'paused', 'ended', 'archived')),
  market_id text collate "C",
  currency text,
  starts_at timestamptz,
  ends_at timestamptz,
  arms jsonb not null,
  caps jsonb not null,
  identity_rule text not null check (identity_rule in ('any', 'profile', 'email', 'first_purchase')),
  targets jsonb not null,
  metadata jsonb not null,
  search text generated always as (lower(name || ' ' || id)) stored,
  -- When time itself moves it: to its beginning, or to its end.
  due_at timestamptz,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  published_at timestamptz,
  ended_at timestamptz,
  archived_at timestamptz,
  step_failures integer not null default 0,
  step_failing_since timestamptz,
  step_error text,
  is_due boolean,
  -- It is for the carts that name the code alone. Null: for every cart.
  code text,
  primary key (account_id, mode, id),
  check (status <> 'scheduled' or (starts_at is not null and due_at is not null)),
  check (status not in ('scheduled', 'active', 'paused') or (currency is not null and published_at is not null)),
  check (status not in ('active', 'paused') or (ends_at is null) = (due_at is null)),
  check (status not in ('draft', 'ended', 'archived') or due_at is null)
);
create index promotions_search on promotions using gin (search gin_trgm_ops);
create index promotions_due on promotions (due_at) where due_at is not null;
-- What a cart at the merchant is held against; for most merchants nothing.
create index promotions_running on promotions (account_id, mode) where status in ('scheduled', 'active');
create index promotions_due_of_tenant on promotions (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
create index promotions_due_later on promotions (mode, coalesce(due_at, 'infinity')) where not is_due;

-- What of the caps is taken: the lock under which uses are counted, apart from the promotion, which people read and change.
create table promotion_counters (
  account_id text collate "C" not null,
  mode mode not null,
  promotion_id text collate "C" not null,
  uses integer not null default 0 check (uses >= 0),
  discount_amount bigint not null default 0 check (discount_amount >= 0),
  primary key (account_id, mode, promotion_id),
  foreign key (account_id, mode, promotion_id) references promotions (account_id, mode, id)
) with (fillfactor = 70);

-- One use: held for a cart's attempt from the offer on, named by the order once there is one. Owned by the merchant; the cart is the buyer's.
create table promotion_redemptions (
  account_id text collate "C" not null,
  mode mode not null,
  -- The cart and its attempt: each uses one promotion at most.
  id text collate "C" not null,
  promotion_id text collate "C" not null,
  cart_id text collate "C" not null,
  order_id text collate "C",
  arm_id text not null,
  -- Whose use it is, by a keyed hash: the merchant's tables name no buyer.
  identity_hash bytea not null,
  currency text not null,
  discount_amount bigint not null check (discount_amount > 0),
  state text not null check (state in ('reserved', 'settled', 'released')),
  -- Until when an offer is held that nobody has ordered by.
  due_at timestamptz,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  step_failures integer not null default 0,
  step_failing_since timestamptz,
  step_error text,
  is_due boolean,
  primary key (account_id, mode, id),
  foreign key (account_id, mode, promotion_id) references promotions (account_id, mode, id),
  check ((due_at is not null) = (state = 'reserved' and order_id is null)),
  check (state <> 'settled' or order_id is not null)
);
create index promotion_redemptions_identity on promotion_redemptions (account_id, mode, promotion_id, identity_hash)
  where state <> 'released';
create index promotion_redemptions_open on promotion_redemptions (account_id, mode, cart_id) where state = 'reserved';
create index promotion_redemptions_due on promotion_redemptions (due_at) where due_at is not null;
create index promotion_redemptions_due_of_tenant on promotion_redemptions (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
create index promotion_redemptions_due_later on promotion_redemptions (mode, coalesce(due_at, 'infinity')) where not is_due;
-- An order may use several promotions: the best of those without a code, and each whose code the buyer named.
create index promotion_redemptions_of_order on promotion_redemptions (account_id, mode, order_id)
  where order_id is not null;

-- Paid APIs that merchants run at domains of their own and publish here, so that payers find them.
create table mpp_apis (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  id text collate "C" not null,
  name text not null,
  description text not null,
  method text not null check (method in ('GET', 'POST', 'PUT', 'PATCH', 'DELETE')),
  url text not null,
  -- Of the URL, in lower case; null: it is on the machine of the service, which test mode may allow.
  host text collate "C",
  request_schema json,
  offers jsonb not null,
  categories text[] not null,
  status text not null check (status in ('published', 'archived')),
  metadata jsonb not null,
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (account_id, mode, id),
  check (host is not null or mode = 'test'),
  check ((status = 'archived') = (archived_at is not null))
);
create index mpp_apis_published on mpp_apis (mode, account_id, id) where status = 'published';
create index mpp_apis_newest on mpp_apis (mode, id) where status = 'published';

-- Sales of merchants of ours to buyers who have no account here: they come over a protocol, pay with an instrument of their own, and are
-- known by where they come from. The order of such a sale belongs to the merchant's own account.
create table sales (
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  -- The id of its order, which exists once the money is held.
  order_id text collate "C" not null,
  state text not null check (
    state in ('charging', 'ordered', 'capturing', 'releasing', 'undoing', 'captured', 'released', 'declined',
      'unpaid')),
  -- What the order will say.
  terms jsonb not null,
  -- What it is paid with: no number and no secret, only what names it at the rail.
  instrument jsonb not null,
  amount bigint not null check (amount between 1 and 1000000000000),
  currency text not null,
  hold_reference text,
  hold_expires_at timestamptz,
  capture_reference text,
  captured_amount bigint not null default 0,
  -- The call under way at the rail, or the next one. It is committed before it leaves.
  call text check (call in ('charge', 'capture', 'void')),
  call_number integer not null default 1,
  call_amount bigint,
  tries integer not null default 0,
  asked integer not null default 0,
  may_have_left boolean not null default false,
  heard text,
  sent_at timestamptz,
  asked_at timestamptz,
  -- Before this time, a call that a dead worker has journaled may still be about to leave.
  not_before timestamptz,
  put_off jsonb,
  failure jsonb,
  due_at timestamptz,
  is_due boolean,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  step_failures integer not null default 0,
  step_failing_since timestamptz,
  step_error text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- A token that somebody else's payment network has issued. Who has it can spend it, so it is kept for no longer than the money takes to be
  -- held. Null: the instrument needs no secret, or the charge has ended.
  sealed_token bytea,
  primary key (account_id, mode, id),
  check (captured_amount <= amount),
  check (state not in ('ordered', 'capturing', 'releasing', 'undoing', 'captured', 'released', 'unpaid') or hold_reference is not null),
  check ((state = 'captured') = (captured_amount > 0)),
  check (state not in ('captured', 'released', 'declined', 'unpaid') or due_at is null),
  constraint sales_forget_tokens check (sealed_token is null or state = 'charging')
);
create unique index sales_of_order on sales (account_id, mode, order_id);
create index sales_due_of_tenant on sales (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
create index sales_due_later on sales (mode, coalesce(due_at, 'infinity')) where not is_due;

-- What platforms elsewhere put together at merchants of ours, before they pay: goods, destination, way of delivery, and the price of it.
-- How it stands follows from the row, its sale and the time, so nothing has to be done when its time is over.
create table checkouts (
  -- Of the merchant.
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  -- The address of the profile of the platform.
  platform text not null,
  -- Whether it was opened by a signed request: then only signed ones read and change it.
  is_signed boolean not null,
  state text not null check (state in ('open', 'completing', 'canceled')),
  currency text not null,
  lines jsonb not null,
  buyer jsonb,
  delivery jsonb,
  codes jsonb not null,
  price jsonb not null,
  messages jsonb not null,
  attribution jsonb not null,
  -- Where the platform wants to be told of the order; null before a payment is tried.
  notify jsonb,
  payments integer not null default 0,
  sale_id text collate "C",
  order_id text collate "C",
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, mode, id),
  check ((sale_id is null) = (payments = 0)),
  check (state <> 'completing' or sale_id is not null)
);
create index checkouts_of_order on checkouts (account_id, mode, order_id) where order_id is not null;
create index checkouts_age on checkouts (expires_at) where order_id is null;

-- What platforms put together at merchants of ours before they open a checkout. Prices are estimates, and nothing is reserved.
create table checkout_carts (
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  -- The address of the profile of the platform, and whether only its signed requests read and change the cart.
  platform text not null,
  is_signed boolean not null,
  state text not null check (state in ('open', 'canceled')),
  currency text not null,
  lines jsonb not null,
  buyer jsonb,
  codes jsonb not null,
  price jsonb not null,
  messages jsonb not null,
  attribution jsonb not null,
  -- The last checkout that was made of it.
  checkout_id text collate "C",
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, mode, id)
);
create index checkout_carts_age on checkout_carts (expires_at);

-- What platforms have to be told of their orders: one row for each order, since each message tells its newest state.
create table order_notices (
  account_id text collate "C" not null,
  mode mode not null,
  -- Of the order.
  id text collate "C" not null,
  -- The last change that the platform has to be told, and the last that it was told.
  sequence integer not null,
  told integer not null default 0,
  attempts integer not null default 0,
  failing_since timestamptz,
  error text,
  due_at timestamptz,
  is_due boolean,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  step_failures integer not null default 0,
  step_failing_since timestamptz,
  step_error text,
  created_at timestamptz not null,
  primary key (account_id, mode, id)
);
create index order_notices_due_of_tenant on order_notices (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
create index order_notices_due_later on order_notices (mode, coalesce(due_at, 'infinity')) where not is_due;

-- Merchants of test mode that were made for the official suite of UCP: their orders confirm themselves, and platforms use names of the
-- suite for variants and ways of delivery.
create table conformance_shops (
  account_id text collate "C" not null,
  mode mode not null check (mode = 'test'),
  -- `variants`: the variant of each name; `options`: the name of each rate card.
  names jsonb not null,
  -- What opens the simulation of shipping; null: nothing does.
  secret_hash bytea,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, mode)
);

-- The addresses that such a merchant remembers of a buyer, by the e-mail address.
create table conformance_addresses (
  account_id text collate "C" not null,
  mode mode not null check (mode = 'test'),
  email text not null,
  id text collate "C" not null,
  address jsonb not null,
  -- From the data of the suite, and kept.
  is_seeded boolean not null,
  created_at timestamptz not null,
  primary key (account_id, mode, email, id)
);
create index conformance_addresses_age on conformance_addresses (created_at) where not is_seeded;

-- # Buying

-- Purchase intents and their carts. The intent is the root: whoever changes a cart holds the intent first. Both are also queues:
-- `due_at` says when a worker looks at the row, the lease says who looks.
create table purchase_intents (
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  profile_id text collate "C" not null,
  api_key_id text collate "C",
  payment_method_id text collate "C",
  policy_id text collate "C",
  currency text not null,
  expected_amount minor_amount not null,
  max_allowed_amount minor_amount not null,
  caller_max_amount minor_amount,
  fee_allowance unsigned_amount not null,
  tax_allowance unsigned_amount not null,
  tolerance_basis_points basis_points not null,
  on_price_exceed price_exceed_answer not null,
  fulfillment jsonb not null,
  policy_decision jsonb not null,
  policy_result policy_result not null,
  approval_required boolean not null,
  reference_id text,
  metadata jsonb not null,
  idempotency_key text,
  actor_type text not null,
  actor_id text,
  -- Registrable domains of the items, each once.
  merchants text[] not null,
  created_at timestamptz not null,
  -- How the ids of what a row brings forth follow from its own: those of an intent's carts, of a cart's order, of an order's refunds. 1: the
  -- number of the part is mixed into the last ten bits, so that parts of parts can meet. 2: a hash of the whole path.
  id_scheme smallint not null default 1,
  -- Whether the goods have somewhere to go; null where nothing is shipped.
  ship_to text check (ship_to in ('awaited', 'frozen')),
  items jsonb not null,
  -- Lower-case ids, references and merchants; the profile's name is searched in its own table.
  search text not null,
  next_action jsonb,
  failure jsonb,
  -- The price that a person is asked about while `next_action` is reapprove_price.
  reapproval jsonb,
  -- Which carts somebody wants to try again, while a person is asked about that.
  retry jsonb,
  cancel_reason text,
  offer_summary jsonb,
  status purchase_intent_status not null,
  partial boolean not null default false,
  -- The key that approved, or 'policy' where a policy allowed the purchase unattended.
  approved_by text,
  approved_at timestamptz,
  approval_expires_at timestamptz,
  payment_verified_at timestamptz,
  actual_amount unsigned_amount not null default 0,
  -- Of `actual_amount`, what policy reservations were settled with; the rest is still held.
  settled_amount unsigned_amount not null default 0,
  seq integer not null,
  due_at timestamptz,
  is_due boolean,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  step_failures integer not null default 0,
  step_failing_since timestamptz,
  step_error text,
  started_at timestamptz,
  completed_at timestamptz,
  updated_at timestamptz not null,
  -- Such a purchase begins with its token, and not with its approval.
  pays_by_token boolean not null default false,
  -- A promotion code that the buyer names with a purchase.
  promo_code text,
  primary key (account_id, mode, id),
  -- The charged amount can never exceed the cap, whatever the code above believes.
  constraint purchase_intents_actual_within_cap check (actual_amount <= max_allowed_amount),
  -- Code that knew neither of the two would approve such a purchase as a whole, or end it as declined: that is refused.
  constraint purchase_intents_retry_waits check (retry is null or status = 'awaiting_approval'),
  constraint purchase_intents_address_awaited
    check (ship_to is distinct from 'awaited' or status in ('awaiting_approval', 'declined', 'cancelled')),
  constraint purchase_intents_address_frozen
    check (ship_to is distinct from 'frozen' or coalesce(jsonb_typeof(fulfillment -> 'address') = 'object', false))
) with (fillfactor = 75);
-- A key never buys twice, also after its reply has been forgotten.
create unique index purchase_intents_lifelong_key on purchase_intents (account_id, mode, idempotency_key)
  where idempotency_key is not null;
create index purchase_intents_by_profile on purchase_intents (account_id, mode, profile_id, id);
create index purchase_intents_by_status on purchase_intents (account_id, mode, status, id);
-- Beginning a purchase takes the means of its mode; ending an approval that came too late takes none.
create index purchase_intents_due_by_means on purchase_intents (mode, (status = 'awaiting_approval'), due_at) where due_at is not null;
-- A new address of a profile makes due what waits for it, from the latest due time down.
create index purchase_intents_awaiting_address on purchase_intents (account_id, mode, profile_id, due_at)
  where ship_to = 'awaited' and status = 'awaiting_approval';
create index purchase_intents_due_of_tenant on purchase_intents (mode, (status = 'awaiting_approval'), account_id, coalesce(due_at, 'infinity')) where is_due;
create index purchase_intents_due_later on purchase_intents (mode, (status = 'awaiting_approval'), coalesce(due_at, 'infinity')) where not is_due;

create table carts (
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  intent_id text collate "C" not null,
  position smallint not null,
  merchant_name text not null,
  merchant_domain text not null,
  -- Set for native merchants.
  merchant_account_id text collate "C",
  channel buying_channel not null,
  max_attempts smallint not null default 3,
  currency text not null,
  expected_amount minor_amount not null,
  max_allowed_amount minor_amount not null,
  fee_allowance unsigned_amount not null,
  tax_allowance unsigned_amount not null,
  tolerance_basis_points basis_points not null,
  created_at timestamptz not null,
  id_scheme smallint not null default 1,
  items jsonb not null,
  failure jsonb,
  offer jsonb,
  attempts_data jsonb not null default '[]',
  status cart_status not null,
  -- Where execution stands inside the status; execution's own.
  stage text,
  attempt_number smallint not null default 1 check (attempt_number between 1 and max_attempts),
  attempt_id text collate "C" not null,
  outcome_known boolean not null default true,
  past_no_return boolean not null default false,
  actual_amount unsigned_amount not null default 0,
  -- Our order, where we hold one; `order_id` is the merchant's reference.
  order_row_id text collate "C",
  order_id text,
  transaction_id text,
  due_at timestamptz,
  is_due boolean,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  step_failures integer not null default 0,
  step_failing_since timestamptz,
  step_error text,
  started_at timestamptz,
  completed_at timestamptz,
  updated_at timestamptz not null,
  -- How a cart of a merchant elsewhere can be bought, which of these ways was chosen, and which ones did not work. Null: nothing was to
  -- choose.
  route jsonb,
  -- Where the buyer sees an order at its merchant.
  order_url text,
  -- What the shop made of the code of the purchase. Null: the purchase has none.
  promo jsonb,
  refunded_amount bigint not null default 0,
  -- What the cart asks its buyer before its merchant names a price. Null: nothing is asked.
  question jsonb,
  primary key (account_id, mode, id),
  unique (account_id, mode, intent_id, position),
  foreign key (account_id, mode, intent_id) references purchase_intents,
  constraint carts_actual_within_cap check (actual_amount <= max_allowed_amount)
) with (fillfactor = 80);
-- Few carts ever end like this, and somebody counts them every few seconds: each one is a purchase of which a person has to find out.
create index carts_unknown_outcome on carts (account_id, mode, id) where status = 'failed' and not outcome_known;
-- A worker claims what it has the means for, and steps over nothing that it has not.
create index carts_due_by_means on carts (mode, channel, due_at) where due_at is not null;
create index carts_due_of_tenant on carts (mode, channel, account_id, coalesce(due_at, 'infinity')) where is_due;
create index carts_due_later on carts (mode, channel, coalesce(due_at, 'infinity')) where not is_due;

-- What people look for old purchases by: the reference they gave, and the shops. Written by what follows the purchase's event, many at
-- once, and never changed: indexes of the purchases themselves would be paid for by every create, and again by every change.
create table purchase_terms (
  account_id text collate "C" not null,
  mode mode not null,
  term text collate "C" not null,
  intent_id text collate "C" not null,
  primary key (account_id, mode, term, intent_id)
);

-- What execution did outside, or may have done, and the money that is held for it.

-- The journal: a row is committed before its call leaves. `sent` means that somebody may be calling right now or has died doing so.
create table effects (
  account_id text collate "C" not null,
  mode mode not null,
  cart_id text collate "C" not null,
  attempt smallint not null check (attempt > 0),
  step effect_step not null,
  -- What the callee knows the call by: deterministic, so that a second sending is the same call.
  key text collate "C" not null,
  intent_id text collate "C" not null,
  request_digest bytea not null,
  -- Without secrets.
  request jsonb not null,
  -- `unsent`: it is proven that nothing left. `closed`: the callee refuses the key from now on, and nothing came of it.
  state effect_state not null,
  -- How often it was sent, and whether one of these sendings may have left.
  tries integer not null default 1,
  may_have_left boolean not null default false,
  -- How often the callee was asked about it, and what it said last. `closed`: it refuses the key now; `not_before` has still to pass.
  asked integer not null default 0,
  asked_at timestamptz,
  heard effect_heard,
  answer jsonb,
  sent_at timestamptz not null,
  settled_at timestamptz,
  -- The earliest time at which "not found" proves that nothing happened.
  not_before timestamptz not null,
  -- {count, since, until, reason}: how often in a row and since when it was turned away, when it may be sent again, and why it was.
  put_off jsonb,
  number integer not null default 1,
  primary key (account_id, mode, cart_id, attempt, step),
  unique (account_id, mode, key)
);

-- What the payment rail holds or gave out for one attempt of a cart: an authorization that we capture, or a credential that is charged.
create table authorizations (
  account_id text collate "C" not null,
  mode mode not null,
  cart_id text collate "C" not null,
  attempt smallint not null check (attempt > 0),
  intent_id text collate "C" not null,
  kind text not null check (kind in ('authorization', 'credential')),
  -- The rail's own id.
  reference text not null,
  amount bigint not null check (amount >= 0),
  captured_amount bigint not null default 0,
  -- The rail's id of the capture, which a refund names.
  capture_reference text,
  currency text not null,
  status text not null check (status in ('authorized', 'captured', 'refunded', 'voided', 'expired', 'failed')),
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- When it was first seen that the merchant has authorized against the credential; it has then neither captured nor released.
  claimed_at timestamptz,
  -- What a merchant has authorized against a credential, from the time at which that is known until it is captured or released.
  claimed_amount bigint,
  -- A credential may be a card that is typed into a page of its merchant: its number is in the vault, under this name.
  vault_record text,
  -- What of a charge was given back, in all. A refund changes neither what was captured nor what the cart has cost.
  refunded_amount bigint not null default 0,
  primary key (account_id, mode, cart_id, attempt),
  constraint captured_within_authorized check (captured_amount >= 0 and captured_amount <= amount),
  constraint captured_only_when_captured check (status in ('captured', 'refunded') or captured_amount = 0),
  constraint refunded_within_captured check (refunded_amount >= 0 and refunded_amount <= amount)
);

-- The credentials that strangers charge, by their names at the rail: whose movement it is. A name is known to one cart alone.
create table followed_credentials (
  account_id text collate "C" not null,
  mode mode not null,
  reference text collate "C" not null,
  cart_id text collate "C" not null,
  attempt smallint not null,
  primary key (mode, reference)
);

-- How far the movements of a rail were read. A row is a job of workers; it is made with the first credential that a stranger may charge.
create table rail_feeds (
  -- Of no account that anybody can open: a rail reports for all.
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  -- The rail's own; null: from its first movement on.
  position text collate "C",
  -- How many pages in a row had nothing new.
  empty_pages integer not null default 0,
  due_at timestamptz,
  is_due boolean,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  step_failures integer not null default 0,
  step_failing_since timestamptz,
  step_error text,
  primary key (account_id, mode, id)
);
create index rail_feeds_due_of_tenant on rail_feeds (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
create index rail_feeds_due_later on rail_feeds (mode, coalesce(due_at, 'infinity')) where not is_due;

-- Each movement once, by the rail's id. `kept`: nobody here knows its credential. `due`: its cart has not looked at it yet.
create table rail_movements (
  mode mode not null,
  id text collate "C" not null,
  reference text collate "C" not null,
  is_refund boolean not null,
  -- The sum of all refunds of the credential up to this one.
  refunded_amount bigint not null check (refunded_amount >= 0),
  state text collate "C" not null check (state in ('kept', 'due', 'applied', 'refused')),
  account_id text collate "C",
  cart_id text collate "C",
  attempt smallint,
  received_at timestamptz not null,
  primary key (mode, id),
  check ((state = 'kept') = (cart_id is null) and (cart_id is null) = (account_id is null) and (cart_id is null) = (attempt is null))
);
create index rail_movements_due on rail_movements (account_id, mode, cart_id) where state = 'due';
create index rail_movements_kept on rail_movements (mode, reference) where state = 'kept';
create index rail_movements_age on rail_movements (received_at);

-- What a merchant answered to a paid request is what was bought: it is kept for some days, sealed.
create table cart_results (
  account_id text collate "C" not null,
  mode mode not null,
  cart_id text collate "C" not null,
  intent_id text collate "C" not null,
  -- As the merchant names it; null: it did not, or not in the form of a media type.
  content_type text,
  bytes integer not null check (bytes between 0 and 1048576),
  sha256 bytea not null,
  -- Null: its time is over.
  sealed bytea,
  created_at timestamptz not null,
  primary key (account_id, mode, cart_id),
  foreign key (account_id, mode, intent_id) references purchase_intents
);
create index cart_results_age on cart_results (created_at) where sealed is not null;

-- Pictures of the pages that carts were bought on: sealed, and kept for some days.
create table purchase_evidence (
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  intent_id text collate "C" not null,
  cart_id text collate "C" not null,
  -- The profile that was bought for: its pictures go when it is archived.
  profile_id text collate "C" not null,
  attempt integer not null check (attempt > 0),
  stage text not null check (stage in ('product', 'cart', 'address', 'payment', 'review', 'after_submit', 'confirmation')),
  taken_at timestamptz not null,
  url_host text not null,
  bytes integer not null check (bytes between 0 and 1048576),
  sha256 bytea not null,
  total_text text,
  hosts text[] not null,
  -- Null: its time is over.
  sealed bytea,
  created_at timestamptz not null,
  primary key (account_id, mode, id),
  foreign key (account_id, mode, intent_id) references purchase_intents
);
create index purchase_evidence_of_intent on purchase_evidence (account_id, mode, intent_id, created_at, id);
create index purchase_evidence_of_profile on purchase_evidence (account_id, mode, profile_id) where sealed is not null;
create index purchase_evidence_age on purchase_evidence (created_at) where sealed is not null;

alter table purchase_evidence alter column sealed set storage external;

-- A purchase may be paid by a token that its integrator hands to a merchant of ours: the token takes the reserved cap, and the merchant
-- charges it. How far it is, the cart and the hold of the purchase say.
create table payment_tokens (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  id text collate "C" not null,
  intent_id text collate "C" not null,
  cart_id text collate "C" not null,
  merchant_account_id text collate "C" not null,
  merchant_slug text,
  merchant_domain text,
  amount bigint not null check (amount between 1 and 1000000000000),
  currency text not null,
  -- What the token pays for at the merchant: a checkout of UCP, or a challenge of MPP.
  binding_kind text not null check (binding_kind in ('checkout', 'challenge')),
  binding_id text not null,
  -- A keyed hash: the token itself is stored nowhere.
  token_hash bytea not null unique,
  prefix text not null,
  expires_at timestamptz not null,
  -- The order of the merchant that uses it: one, for good.
  order_id text,
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, mode, id),
  -- It takes the whole purchase, so there is never a second one.
  constraint payment_tokens_one_of_intent unique (account_id, mode, intent_id),
  foreign key (account_id, mode, intent_id) references purchase_intents
);

-- What a shop elsewhere was asked before anything is bought there, and what it showed. A row is a job of workers first, and then what all
-- API processes answer with for some minutes. Nothing in it says who asks for whom.
create table looks (
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  -- Of everything that makes a difference to the answer: the same question is asked once.
  key bytea not null check (length(key) = 32),
  -- Of the shop, with its port where that is not the usual one.
  host text collate "C" not null,
  request jsonb not null,
  -- Null: nobody has looked yet.
  answer jsonb,
  answered_at timestamptz,
  -- Until when the answer is good enough.
  fresh_until timestamptz,
  created_at timestamptz not null,
  due_at timestamptz,
  is_due boolean,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  step_failures integer not null default 0,
  step_failing_since timestamptz,
  step_error text,
  primary key (account_id, mode, id),
  -- It waits for a worker, or it has its answer.
  check (num_nulls(due_at, answer) = 1 and num_nulls(answer, answered_at, fresh_until) in (0, 3))
);
create unique index looks_key on looks (account_id, mode, key);
create index looks_age on looks (answered_at) where answered_at is not null;
create index looks_due_of_tenant on looks (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
create index looks_due_later on looks (mode, coalesce(due_at, 'infinity')) where not is_due;

-- # Trade

-- Quotes are owned by the buyer's account and carry the merchant's; both sides find them, each by its own index.
create table quotes (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  id text collate "C" not null,
  merchant_account_id text collate "C" not null,
  -- As they were when the merchant was last asked.
  merchant_name text,
  merchant_slug text,
  merchant_domain text,
  merchant_currency text not null,
  catalog_item_id text collate "C",
  catalog_variant_id text collate "C",
  item_type text,
  items jsonb not null,
  quantity integer not null check (quantity between 1 and 10000),
  profile_id text collate "C",
  address_id text collate "C",
  -- Where it would go, as far as a price depends on it; the merchant is told no more.
  ship_to jsonb,
  price_proposal jsonb,
  inputs jsonb not null,
  note text,
  metadata jsonb not null,
  status quote_status not null,
  -- What the merchant answered to the round that counts.
  offers jsonb not null,
  required_inputs jsonb not null,
  message text,
  -- Each time that the merchant is asked is a round, with an event of its own; null while it has never been asked.
  round integer not null check (round >= 0),
  requested_event_id text collate "C",
  destination_id text collate "C",
  requested_at timestamptz,
  deadline_at timestamptz,
  responded_at timestamptz,
  responded_by_type text,
  responded_by_id text collate "C",
  failure text,
  expires_at timestamptz,
  accepted_offer_id text collate "C",
  purchase_intent_id text collate "C",
  cancelled_at timestamptz,
  -- When the quote expires, or has waited for its merchant for too long; null when nothing follows by itself.
  due_at timestamptz,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  step_failures integer not null default 0,
  step_failing_since timestamptz,
  step_error text,
  -- Who sells, fixed when the merchant was asked. Null: the other columns say whom it asked.
  merchant_identity jsonb,
  is_due boolean,
  primary key (account_id, mode, id),
  foreign key (merchant_account_id, mode) references merchants (account_id, mode),
  foreign key (merchant_account_id, mode, catalog_item_id) references catalog_items,
  foreign key (account_id, mode, profile_id) references profiles,
  -- Deferred: the quote is ordered before its purchase is written.
  foreign key (account_id, mode, purchase_intent_id) references purchase_intents deferrable initially deferred,
  check ((status in ('pending', 'quoted')) = (due_at is not null)),
  check ((status = 'ordered') = (purchase_intent_id is not null)),
  check ((status = 'ordered') = (accepted_offer_id is not null)),
  check (status <> 'pending' or (requested_event_id is not null and responded_at is null)),
  check (status not in ('quoted', 'declined', 'expired', 'ordered') or responded_at is not null),
  check (status not in ('quoted', 'expired', 'ordered') or (expires_at is not null and jsonb_array_length(offers) > 0)),
  check ((responded_at is null) = (responded_by_type is null))
);
create unique index quotes_of_merchant on quotes (merchant_account_id, mode, id);
create unique index quotes_purchase on quotes (account_id, mode, purchase_intent_id) where purchase_intent_id is not null;
create index quotes_due on quotes (due_at) where due_at is not null;
create index quotes_due_of_tenant on quotes (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
create index quotes_due_later on quotes (mode, coalesce(due_at, 'infinity')) where not is_due;

-- The one accepted answer of each round, by the event that asked for it: its exact bytes again are a retry, other bytes a conflict.
create table quote_answers (
  account_id text collate "C" not null,
  mode mode not null,
  quote_id text collate "C" not null,
  event_id text collate "C" not null,
  round integer not null,
  digest bytea not null,
  -- Who answered: the destination that signed, or the API key.
  actor_type text not null check (actor_type in ('destination', 'api_key')),
  actor_id text collate "C" not null,
  answered_at timestamptz not null,
  primary key (account_id, mode, quote_id, event_id),
  foreign key (account_id, mode, quote_id) references quotes
);

-- Orders are owned by the buyer's account and carry the merchant's; both sides read them, each by its own index.
create table orders (
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  -- Null: a merchant who has never heard of us.
  merchant_account_id text collate "C",
  -- As they were when the order was placed.
  merchant_name text,
  merchant_slug text,
  merchant_domain text,
  purchase_intent_id text collate "C",
  cart_id text collate "C",
  attempt integer,
  quote_id text collate "C",
  currency text not null,
  subtotal_amount unsigned_amount not null,
  fulfillment_amount unsigned_amount not null,
  tax_amount unsigned_amount not null,
  discount_amount unsigned_amount not null,
  total_amount minor_amount not null,
  line_items jsonb not null,
  customer jsonb not null,
  shipping_address jsonb,
  expires_at timestamptz,
  created_at timestamptz not null,
  -- The rate that the tax was computed with; null where the merchant named the tax itself.
  tax_basis_points integer,
  id_scheme smallint not null default 1,
  search text generated always as (
    lower(id || ' ' || coalesce(merchant_name, '') || ' ' || coalesce(merchant_domain, '') || ' ' ||
      coalesce(confirmation_reference, '') || ' ' || coalesce(reservation_reference, '') || ' ' ||
      coalesce(customer ->> 'name', '') || ' ' || coalesce(customer ->> 'email', '') || ' ' ||
      -- As JSON text, but for the quotes inside it.
      replace(jsonb_path_query_array(line_items, '$[*].title')::text, '\"', '"'))) stored,
  fulfillments jsonb not null default '[]',
  adjustments jsonb not null default '[]',
  refunds jsonb not null default '[]',
  returns jsonb not null default '[]',
  -- What the merchant said to its answer, and what the buyer said to the cancellation.
  note text,
  cancel_reason text,
  reservation_reference text,
  confirmation_reference text,
  status order_status not null,
  payment_status order_payment_status not null,
  -- The one accepted answer: the digest of its bytes, and who gave it.
  response_digest bytea,
  responded_by_type text,
  responded_by_id text collate "C",
  responded_at timestamptz,
  -- What the buyer authorized: the first total. Null as long as the total is still that one.
  authorized_amount bigint,
  -- What refunds come to that are under way or have succeeded.
  refunds_amount bigint not null default 0,
  seq integer not null,
  due_at timestamptz,
  is_due boolean,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  step_failures integer not null default 0,
  step_failing_since timestamptz,
  step_error text,
  updated_at timestamptz not null,
  -- Where the buyer comes from; null: the buyer has an account here, and a purchase.
  buyer jsonb,
  -- The rail's name of the capture, which a refund needs; null where the purchase's journal has it.
  capture_reference text,
  -- How it was bought: `native` is a merchant of ours.
  channel text collate "C" not null default 'native',
  order_url text,
  primary key (account_id, mode, id),
  check (total_amount = subtotal_amount + fulfillment_amount + tax_amount - discount_amount),
  constraint orders_check2 check ((response_digest is null) = (responded_at is null)),
  constraint orders_check4 check (status <> 'awaiting_confirmation' or (response_digest is null and due_at is not null)),
  constraint orders_within_authorized check (authorized_amount is null or total_amount <= authorized_amount),
  -- Confirmed means answered, with a reference, exactly once: by a merchant of ours. A stranger confirms by taking the order.
  constraint orders_answered check (channel <> 'native'
    or (status not in ('confirmed', 'fulfilling', 'completed') or confirmation_reference is not null)
      and (status not in ('confirmed', 'rejected', 'fulfilling', 'completed') or response_digest is not null)),
  constraint orders_of_strangers check ((channel = 'native') = (merchant_account_id is not null)
    and (channel = 'native') = (expires_at is not null)
    and (channel = 'native' or (cart_id is not null and buyer is null and due_at is null and response_digest is null
      and status in ('confirmed', 'fulfilling', 'completed', 'cancelled')))),
  -- A stranger gives back a part of its first parcel while the second is still held: the payment is not captured yet.
  constraint orders_refunds_within_captured check (
    refunds_amount >= 0 and refunds_amount <= total_amount
    and (refunds_amount = 0 or channel <> 'native' or payment_status in ('captured', 'partially_refunded', 'refunded')))
) with (fillfactor = 80);
create unique index orders_of_merchant on orders (merchant_account_id, mode, id);
create unique index orders_confirmation_reference on orders (merchant_account_id, mode, confirmation_reference)
  where confirmation_reference is not null;
create unique index orders_attempt on orders (account_id, mode, cart_id, attempt);
create index orders_due on orders (due_at) where due_at is not null;
-- Whether somebody has bought from a merchant before, which is asked while an offer is made.
create index orders_of_customer on orders (merchant_account_id, mode, lower(customer ->> 'email'));
create index orders_due_of_tenant on orders (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
create index orders_due_later on orders (mode, coalesce(due_at, 'infinity')) where not is_due;

-- The work and the journal of each refund; what people are shown of it stands in its order. It is committed before a call leaves, and
-- its id is the key that the payment rail knows it by.
create table order_refunds (
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  order_id text collate "C" not null,
  -- Which capture it takes back.
  cart_id text collate "C",
  attempt smallint check (attempt > 0),
  amount bigint not null check (amount > 0),
  currency text not null,
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  -- How often it was sent, how often asked about, and whether one of the sendings may have arrived.
  tries integer not null default 0,
  asked integer not null default 0,
  may_have_left boolean not null default false,
  -- The rail's own id of the refund, or its reason for a refusal.
  reference text,
  failure_code text,
  sent_at timestamptz,
  settled_at timestamptz,
  due_at timestamptz,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  created_at timestamptz not null,
  put_off jsonb,
  step_failures integer not null default 0,
  step_failing_since timestamptz,
  step_error text,
  is_due boolean,
  primary key (account_id, mode, id),
  foreign key (account_id, mode, order_id) references orders,
  check ((status = 'pending') = (settled_at is null)),
  check ((status = 'pending') = (due_at is not null))
);
create index order_refunds_of_order on order_refunds (account_id, mode, order_id);
-- A refund is claimed by who has the rail of its mode.
create index order_refunds_due_by_means on order_refunds (mode, due_at) where due_at is not null;
create index order_refunds_due_of_tenant on order_refunds (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
create index order_refunds_due_later on order_refunds (mode, coalesce(due_at, 'infinity')) where not is_due;

-- How the messages of a merchant name an order. One that names a checkout of an order before it is about that order alone.
create table stranger_orders (
  account_id text collate "C" not null,
  mode mode not null,
  order_id text collate "C" not null,
  -- The address of the profile whose keys sign.
  sender text collate "C" not null,
  -- A hash of the merchant's id of the checkout, which is any text.
  checkout bytea not null,
  -- By its sender's clock, the time of the newest message that was applied.
  told_at timestamptz,
  created_at timestamptz not null,
  primary key (account_id, mode, order_id)
);
create unique index stranger_orders_checkout on stranger_orders (checkout, sender);

-- Messages about orders. One that comes before its order is kept with what it says; of the others only the id is left, which is taken once.
create table order_messages (
  sender text collate "C" not null,
  -- A hash of the id that the sender gave it.
  message bytea not null,
  checkout bytea not null,
  state text collate "C" not null check (state in ('kept', 'applied', 'older')),
  sent_at timestamptz not null,
  received_at timestamptz not null,
  -- The order that it is about; null while there is none.
  account_id text collate "C",
  mode mode,
  order_id text collate "C",
  news jsonb,
  -- What the message said, as a hash: the same id with other bytes is refused.
  said bytea,
  primary key (sender, message),
  check ((state = 'kept') = (news is not null)),
  check ((state = 'kept') = (order_id is null)),
  check ((order_id is null) = (account_id is null) and (order_id is null) = (mode is null))
);
create index order_messages_kept on order_messages (sender, checkout, sent_at) where state = 'kept';
create index order_messages_kept_age on order_messages (received_at) where state = 'kept';
create index order_messages_age on order_messages (received_at) where state <> 'kept';

-- # Webhooks

create function count_subscription_change() returns trigger language plpgsql as $$
begin
  insert into subscription_versions as v (account_id, mode, version) values (new.account_id, new.mode, 1)
  on conflict (account_id, mode) do update set version = v.version + 1;
  return null;
end
$$;

-- How often the subscriptions of a tenant have changed. Who writes an event matches it with the subscriptions that it knows, if they are
-- still of this version when it writes; a tenant without a row never had any.
create table subscription_versions (
  account_id text collate "C" not null,
  mode mode not null,
  version bigint not null,
  primary key (account_id, mode)
);

-- Where a merchant's backend is told of events, and every attempt at telling it.
create table webhook_destinations (
  account_id text collate "C" not null constraint destinations_account_id_fkey references accounts,
  mode mode not null,
  id text collate "C" not null,
  name text not null,
  responds_to_quotes boolean not null,
  event_types text[] not null,
  endpoint_url text not null,
  status text not null constraint destinations_status_check check (status in ('enabled', 'disabled', 'archived')),
  disabled_reason text constraint destinations_disabled_reason_check check (disabled_reason in ('requested', 'gone', 'failing')),
  disabled_at timestamptz,
  archived_at timestamptz,
  -- Nothing but failure since then; null once anything succeeds.
  failing_since timestamptz,
  metadata jsonb not null default '{}',
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  audience text collate "C" not null default 'merchant' check (audience in ('merchant', 'buyer')),
  endpoint_changes integer not null default 0,
  event_types_changes integer not null default 0,
  responder_changes integer not null default 0,
  confirmed_at timestamptz,
  constraint destinations_pkey primary key (account_id, mode, id),
  constraint destinations_check check ((status = 'disabled') = (disabled_reason is not null)),
  constraint destinations_check1 check (not responds_to_quotes or 'quote.requested' = any (event_types)),
  constraint buyers_answer_nothing check (audience = 'merchant' or not responds_to_quotes)
);
-- Disabling keeps the designation, so that enabling cannot fail; archiving frees it.
create unique index destinations_one_responder on webhook_destinations (account_id, mode) where responds_to_quotes and status <> 'archived';
-- The door from a signed response to its tenant.
create unique index destinations_id on webhook_destinations (id);
-- A count of merchants looks for the backend of each.
create index webhook_destinations_of_orders on webhook_destinations (account_id, mode)
  where audience = 'merchant' and status = 'enabled' and confirmed_at is not null and event_types @> array['order.requested', 'order.confirmed', 'order.rejected'];
create trigger count_subscription_change after insert or update of status, confirmed_at, audience on webhook_destinations
  for each row execute function count_subscription_change();

create view destinations as
  select account_id, mode, id, name, responds_to_quotes, event_types, endpoint_url, status, disabled_reason, disabled_at, archived_at,
    failing_since, metadata, seq, created_at, updated_at, endpoint_changes, event_types_changes, responder_changes, confirmed_at
  from webhook_destinations where audience = 'merchant';

-- Who wanted what, when: an event goes to those who were subscribed to its type at the time it was made, however late it is matched.
create table destination_subscriptions (
  account_id text collate "C" not null,
  mode mode not null,
  destination_id text collate "C" not null,
  event_type text collate "C" not null,
  -- The destination's seq when the subscription began.
  since_seq integer not null,
  subscribed_from timestamptz not null,
  subscribed_until timestamptz,
  primary key (account_id, mode, event_type, destination_id, since_seq),
  foreign key (account_id, mode, destination_id) references webhook_destinations
);
create unique index destination_subscriptions_open on destination_subscriptions (account_id, mode, destination_id, event_type)
  where subscribed_until is null;
create trigger count_subscription_change after insert or update on destination_subscriptions
  for each row execute function count_subscription_change();

-- At most two are live: the last one and, for a day after a rotation, the one before.
create table destination_secrets (
  account_id text collate "C" not null,
  mode mode not null,
  destination_id text collate "C" not null,
  position integer not null,
  sealed bytea not null,
  prefix text not null,
  expires_at timestamptz,
  created_at timestamptz not null,
  primary key (account_id, mode, destination_id, position),
  foreign key (account_id, mode, destination_id) references webhook_destinations
);

-- What was tried at a host lately, over all tenants: by delivery and lease, when, as seconds. A row is deleted when an hour has passed.
create table destination_hosts (
  host text collate "C" primary key,
  tests jsonb not null,
  last_test_at timestamptz not null
);
create index destination_hosts_last_test on destination_hosts (last_test_at);

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

-- account_id is the destination's; the event may belong to another account of the same mode (a buyer's order).
create table deliveries (
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  destination_id text collate "C" not null,
  event_id text collate "C" not null,
  event_account_id text collate "C" not null,
  event_type text collate "C" not null,
  aggregate_id text collate "C" not null,
  sequence integer not null,
  -- pending: to be attempted; failed: the last attempt failed and due_at says when the next follows; exhausted: none follows.
  status text not null check (status in ('pending', 'succeeded', 'failed', 'exhausted')),
  attempt_count integer not null,
  -- attempt_count when the present series of retries began: redelivery and recovery start a new one.
  series_from integer not null default 0,
  first_attempt_at timestamptz,
  last_attempt_at timestamptz,
  due_at timestamptz,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  response_received_at timestamptz,
  response_accepted boolean,
  -- Of the events about the delivery itself.
  seq integer not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  step_failures integer not null default 0,
  step_failing_since timestamptz,
  step_error text,
  is_due boolean default true,
  primary key (account_id, mode, id),
  check ((status in ('pending', 'failed')) = (due_at is not null)),
  check ((response_received_at is null) = (response_accepted is null))
) with (fillfactor = 60);
create unique index deliveries_event on deliveries (account_id, mode, destination_id, event_id);
create index deliveries_history on deliveries (account_id, mode, destination_id, id);
-- One answer is taken per event, whichever destination it was sent to.
create unique index deliveries_one_answer on deliveries (event_account_id, mode, event_id) where response_accepted;
create index deliveries_not_due on deliveries (id) where not is_due;
create trigger queue_delivery_of_new after insert on deliveries for each row execute function queue_delivery();
create trigger queue_delivery after update of due_at on deliveries for each row
  when (new.due_at is not null or new.status = 'exhausted' or old.lease_until is not null)
  execute function queue_delivery();
create trigger unqueue_delivery after delete on deliveries for each row execute function queue_delivery();
create trigger lease_as_before before update of lease_until on deliveries for each row execute function lease_as_before();

alter table deliveries enable always trigger queue_delivery_of_new, enable always trigger queue_delivery,
  enable always trigger unqueue_delivery, enable always trigger lease_as_before;

create table delivery_attempts (
  account_id text collate "C" not null,
  mode mode not null,
  delivery_id text collate "C" not null,
  position integer not null,
  at timestamptz not null,
  http_status smallint,
  latency_ms integer not null check (latency_ms >= 0),
  error text,
  response_excerpt text,
  -- What was sent: equal for every attempt of one event.
  body_digest bytea not null,
  primary key (account_id, mode, delivery_id, position)
);

-- Deliveries that are open stand in a queue of their own, with what a claim looks at and no more: a row is inserted, leased and deleted
-- there, while the wide row with the history of the delivery is written once by the event and once by each attempt. `deliveries.due_at`
-- stays what decides: a trigger puts every change of it into the queue, whichever statement writes it.
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

-- Both change so much that statistics are gathered all the time. A tenth of the usual sample says as much about them, and sorting the
-- whole of it was a sixth of what a delivery cost the database.
alter table deliveries
  alter column account_id set statistics 10,
  alter column mode set statistics 10,
  alter column id set statistics 10,
  alter column destination_id set statistics 10,
  alter column event_id set statistics 10,
  alter column event_account_id set statistics 10,
  alter column event_type set statistics 10,
  alter column aggregate_id set statistics 10,
  alter column sequence set statistics 10,
  alter column status set statistics 10,
  alter column attempt_count set statistics 10,
  alter column series_from set statistics 10,
  alter column first_attempt_at set statistics 10,
  alter column last_attempt_at set statistics 10,
  alter column due_at set statistics 10,
  alter column lease_until set statistics 10,
  alter column lease_token set statistics 10,
  alter column response_received_at set statistics 10,
  alter column response_accepted set statistics 10,
  alter column seq set statistics 10,
  alter column created_at set statistics 10,
  alter column updated_at set statistics 10;
alter table delivery_attempts
  alter column account_id set statistics 10,
  alter column mode set statistics 10,
  alter column delivery_id set statistics 10,
  alter column position set statistics 10,
  alter column at set statistics 10,
  alter column http_status set statistics 10,
  alter column latency_ms set statistics 10,
  alter column error set statistics 10,
  alter column response_excerpt set statistics 10,
  alter column body_digest set statistics 10;

-- What shows that a merchant's integration works.
create table integration_checks (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  id text collate "C" not null,
  kind integration_check_kind not null,
  destination_id text collate "C" not null,
  -- An order that the merchant received; whose buyer's it is does not matter here.
  order_id text collate "C",
  -- What the responder is asked, and the quote that it was asked with.
  quote_request jsonb,
  quote_id text collate "C",
  status integration_check_status not null,
  steps jsonb not null,
  evidence jsonb,
  failure jsonb,
  -- The destination's settings that the result speaks of. Other settings later make it stale, which is found out by reading.
  settings jsonb,
  -- Until then it waits for what is still to come.
  deadline_at timestamptz not null,
  finished_at timestamptz,
  due_at timestamptz,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  step_failures integer not null default 0,
  step_failing_since timestamptz,
  step_error text,
  is_due boolean,
  primary key (account_id, mode, id),
  foreign key (account_id, mode, destination_id) references webhook_destinations,
  foreign key (account_id, mode, order_id) references orders (merchant_account_id, mode, id),
  check ((kind = 'order') = (order_id is not null)),
  check ((kind = 'quote') = (quote_request is not null)),
  check ((status in ('queued', 'running')) = (due_at is not null)),
  check ((status in ('passed', 'failed')) = (finished_at is not null and settings is not null and evidence is not null)),
  check ((status = 'failed') = (failure is not null))
);
-- One at a time, so that an answer belongs to the check that asked for it.
create unique index integration_checks_open on integration_checks (account_id, mode, destination_id, kind) where due_at is not null;
create index integration_checks_latest on integration_checks (account_id, mode, kind, status, id);
create index integration_checks_due on integration_checks (due_at) where due_at is not null;
create index integration_checks_due_of_tenant on integration_checks (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
create index integration_checks_due_later on integration_checks (mode, coalesce(due_at, 'infinity')) where not is_due;

-- # Discovery

create function prokura_words(written text) returns text language sql immutable parallel safe as $$
  select btrim(regexp_replace(
    replace(replace(replace(replace(translate(
      lower(regexp_replace(normalize(coalesce(written, ''), nfkd), '[\u0300-\u036f]', '', 'g')),
      'øłđðħıŧ', 'olddhit'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th'),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f\ufe00-\ufe0f]+', ' ', 'g'))
$$;

-- A word, and what is left of it without one of its letters: two words that share one of these differ by one letter, or by two that are
-- exchanged. Long words only, and of those the first letters: a word of 30 letters has no typing errors that matter.
create function prokura_spellings(word text) returns text[] language sql immutable parallel safe as $$
  select array(select word union select overlay(word placing '' from n for 1) from generate_series(1, least(length(word), 24)) n
    where length(word) >= 3)
$$;

-- Each word as it is written, and its stem by the rules of English, so that boots find a boot.
create function prokura_word_vector(words text, weight "char") returns tsvector language sql immutable parallel safe as $$
  select setweight(to_tsvector('simple'::regconfig, words) || to_tsvector('english'::regconfig, words), weight)
$$;

-- What is published, as it is searched for: a narrow row for each item, and the words that items have. Followers of item events keep them,
-- so nothing that writes items waits for the index.
create table listings (
  account_id text collate "C" not null,
  mode mode not null,
  -- Of the catalog item.
  id text collate "C" not null,
  words tsvector not null,
  -- How many words the title has: a match is worth more where the title has few others.
  title_words integer not null,
  item_type text collate "C" not null,
  -- In the form of `prokura_words`.
  categories text[] not null,
  -- Of the variants that can be priced, in the currency of the first one.
  currency text collate "C" not null,
  price_min bigint not null,
  price_max bigint not null,
  is_available boolean not null,
  primary key (account_id, mode, id)
);
create unique index listings_newest on listings (mode, id);
create index listings_by_price on listings (mode, currency, price_min, id);
-- A search reads what is not yet merged into the index as well, so that stays small.
create index listings_words on listings using gin (words) with (gin_pending_list_limit = 512);
-- The kinds of items that a merchant sells: one look for each kind, however much it sells.
create index listings_types on listings (account_id, mode, item_type);

create table listing_words (
  mode mode not null,
  word text collate "C" not null,
  spellings text[] collate "C" not null,
  primary key (mode, word)
);
create index listing_words_spellings on listing_words using gin (spellings);
create index listing_words_similar on listing_words using gin (word gin_trgm_ops);

-- A listing as its item makes it.
create function prokura_listing(item catalog_items) returns setof listings language sql stable parallel safe as $$
  select item.account_id, item.mode, item.id,
    prokura_word_vector(prokura_words(concat_ws(' ', item.title, item.handle, codes.said)), 'A')
      || prokura_word_vector(prokura_words(array_to_string(item.categories, ' ') || ' ' || coalesce(choices.said, '')), 'B')
      || prokura_word_vector(prokura_words(left(item.description, 2000)), 'D'),
    cardinality(string_to_array(prokura_words(item.title), ' ')),
    item.item_type, array(select prokura_words(category) from unnest(item.categories) as category),
    priced.currency, priced.price_min, priced.price_max, priced.is_available
  from (
    select string_agg(concat_ws(' ', variant ->> 'sku', variant ->> 'barcode'), ' ') as said from jsonb_array_elements(item.variants) as variant
  ) codes, (
    select string_agg(distinct concat_ws(' ', variant ->> 'title', chosen ->> 'value'), ' ') as said
    from jsonb_array_elements(item.variants) as variant
    left join lateral jsonb_array_elements(coalesce(variant -> 'options', '[]')) as chosen on true
  ) choices, (
    select first.currency, min((variant ->> 'price')::bigint) as price_min, max((variant ->> 'price')::bigint) as price_max,
      bool_or(variant ->> 'availability' not in ('out_of_stock', 'discontinued')
        and (variant ->> 'availability' <> 'in_stock' or variant ->> 'quantity' is distinct from '0')) as is_available
    from (
      select one ->> 'currency' as currency from jsonb_array_elements(item.variants) with ordinality as of (one, place)
      where one ->> 'price' is not null order by place limit 1
    ) first, jsonb_array_elements(item.variants) as variant
    where variant ->> 'price' is not null and variant ->> 'currency' = first.currency group by first.currency
  ) priced
  where item.status = 'published'
$$;

-- What a search has shown, so that a sale or an impression later can be counted for it: one row for each answer with products.
create table attributions (
  mode mode not null,
  -- Random; the attribution id that callers hold names it under our signature.
  id bytea not null,
  -- The products that were shown, and of each the account of its merchant.
  item_ids text[] collate "C" not null,
  merchant_ids text[] collate "C" not null,
  created_at timestamptz not null,
  -- Which variants the answer has shown of products that are not published here: nobody else keeps them, and an impression may name one.
  variant_keys bytea[] not null default '{}',
  primary key (mode, id)
);
create index attributions_age on attributions (created_at);

-- Each product, or exact variant, that was seen by somebody: once for each answer.
create table impressions (
  mode mode not null,
  attribution_id bytea not null,
  item_id text collate "C" not null,
  -- Empty for the product as a whole.
  variant_id text collate "C" not null,
  created_at timestamptz not null,
  primary key (mode, attribution_id, item_id, variant_id),
  foreign key (mode, attribution_id) references attributions on delete cascade
);

-- Orders of buyers without an account that name the search in which the goods were found. What a token does not say truly is kept as well:
-- it changes nothing, and it is counted.
create table attributed_orders (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  order_id text collate "C" not null,
  -- The id in the token; null: the token is none of ours.
  attribution_id bytea,
  standing text not null check (standing in ('counted', 'expired', 'other_merchant', 'invalid')),
  created_at timestamptz not null,
  primary key (account_id, mode, order_id),
  check ((attribution_id is null) = (standing = 'invalid'))
);

-- The sites that an operator has added to the registry, and what was found there. Merchants of ours stand in no row: the registry reads
-- their own.
create table registry_entries (
  -- Of no account that anybody can open: entries are the operator's.
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  -- `https://shop.example`; in test mode also of this machine.
  origin text collate "C" not null,
  -- Of the origin, with its port where that is not the usual one.
  host text collate "C" not null,
  -- As the operator calls the merchant, and as the site calls itself.
  name text,
  site_name text,
  -- Null: whatever is found there may be used.
  channel registry_channel,
  -- For each protocol what was found, its status, and what is paid with.
  found jsonb not null,
  -- The documents of the last look, with what was wrong with them.
  evidence jsonb not null,
  -- The same as lists follow from `found`; they are what a search of the registry reads.
  -- Protocols that are live or degraded.
  speaks text[] not null,
  -- 0: something is live, 1: something is degraded, 2: nothing can be used.
  rank smallint not null check (rank between 0 and 2),
  payment_methods text[] not null,
  payment_instruments text[] not null,
  item_types text[] not null,
  mpp_categories text[] not null,
  -- How many looks in a row have not found everything that was known.
  failures integer not null check (failures >= 0),
  looked_at timestamptz,
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  due_at timestamptz,
  is_due boolean,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  step_failures integer not null default 0,
  step_failing_since timestamptz,
  step_error text,
  -- Hosts on which a shop has pages of its own besides its domain, such as its checkout, as the operator names them. A browser may go there
  -- for this shop, and for no other.
  more_hosts text[] not null default '{}',
  primary key (account_id, mode, id)
);
create unique index registry_entries_origin on registry_entries (mode, origin);
create index registry_entries_host on registry_entries (mode, host);
create index registry_entries_due_of_tenant on registry_entries (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
create index registry_entries_due_later on registry_entries (mode, coalesce(due_at, 'infinity')) where not is_due;
-- The registry in its order: a page reads its own rows, however many merchants and sites there are.
create index registry_entries_listed on registry_entries
  (account_id, mode, rank, lower(coalesce(name, site_name, host)), id) where rank < 2 and channel is distinct from 'browser';

-- What a site that nobody has added speaks, as it was seen when something was to be bought there in live mode. It is a cache, and no entry
-- of the registry: nobody lists it, and it ends.
create table site_looks (
  -- Of no account that anybody can open, as entries of the registry.
  account_id text collate "C" not null,
  mode mode not null,
  -- Of the item, with its port where that is not the usual one.
  host text collate "C" not null,
  -- Where it was found: the host itself, or its domain.
  origin text collate "C" not null,
  -- The protocols that were found, as in `registry_entries`. Empty: none.
  found jsonb not null,
  looked_at timestamptz not null,
  good_until timestamptz not null,
  primary key (account_id, mode, host),
  -- Test mode contacts nobody but sites of its registry.
  check (mode = 'live')
);
create index site_looks_age on site_looks (good_until);

-- # The vault

-- One key for each account and mode, sealed under a master key that only the vault process holds. It seals the keys of the records, and
-- never changes: a new master key seals it again.
create table card_vault.tenant_keys (
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  sealed bytea not null,
  master_key_id text collate "C" not null,
  created_at timestamptz not null default now(),
  primary key (account_id, mode)
);

-- Card numbers, each sealed under a key of its own. API and worker get no right here: `migrate` and `up` give the schema to the vault's role.
create table card_vault.records (
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  -- A keyed hash of the number: one card of an account is one record.
  fingerprint bytea not null,
  brand text not null,
  last4 text not null check (last4 ~ '^[0-9]{4}$'),
  exp_month smallint not null check (exp_month between 1 and 12),
  exp_year smallint not null,
  -- Number and holder, under a key that stands in the same bytes: without the row nobody opens them.
  sealed bytea not null,
  -- Whether it is typed with a security code, which is never stored.
  has_code boolean not null,
  -- Where the rail tells the code again, if this process has lost it.
  source jsonb,
  -- The vault shreds it by itself then.
  keep_until timestamptz not null,
  created_at timestamptz not null default now(),
  primary key (account_id, mode, id),
  unique (account_id, mode, fingerprint)
);
create index records_kept on card_vault.records (keep_until);

-- Permissions to type a number: one for each record, redeemed once for all time. The id is stored as a hash.
create table card_vault.grants (
  hash bytea primary key,
  account_id text collate "C" not null,
  mode mode not null,
  record_id text collate "C" not null,
  cart text collate "C" not null,
  attempt integer not null,
  origin text collate "C" not null,
  -- The lease of the worker that asked: a worker whose lease was taken over gets no grant after the next one.
  lease_token bigint not null,
  granted_at timestamptz not null default now(),
  expires_at timestamptz not null,
  redeemed_at timestamptz,
  refusals smallint not null default 0,
  foreign key (account_id, mode, record_id) references card_vault.records (account_id, mode, id) on delete cascade
);
create unique index grants_one_per_record on card_vault.grants (account_id, mode, record_id);

-- What was done with the records, by whom it was asked for, and when. No number, no hash of one.
create table card_vault.acts (
  seq bigint generated always as identity primary key,
  at timestamptz not null default now(),
  account_id text collate "C" not null,
  mode mode not null,
  record_id text collate "C" not null,
  kind text not null check (kind in ('sealed', 'granted', 'redeemed', 'refused', 'put_in_place', 'shredded', 'expired')),
  cart text collate "C",
  attempt integer,
  origin text collate "C"
);
create index acts_of_record on card_vault.acts (account_id, mode, record_id, seq);

-- # Triggers of many tables

do $$
declare
  queue text;
begin
  foreach queue in array array['onboarding_links', 'domain_verifications', 'catalog_imports', 'promotions', 'promotion_redemptions',
    'purchase_intents', 'carts', 'rail_feeds', 'looks', 'quotes', 'orders', 'order_refunds', 'sales', 'order_notices',
    'integration_checks', 'registry_entries']
  loop
    execute format('create trigger note_due_of_new before insert on %I for each row execute function note_due_of_new()', queue);
    execute format('create trigger note_due before update of due_at on %I for each row execute function note_due()', queue);
    execute format('alter table %I enable always trigger note_due_of_new, enable always trigger note_due', queue);
  end loop;
end
$$;

do $$
declare
  parent text;
begin
  foreach parent in array array['accounts', 'profiles', 'payment_methods', 'policies', 'merchants', 'purchase_intents', 'carts']
  loop
    execute format('create trigger refuse_removal before delete on %I for each statement execute function refuse_removal()', parent);
  end loop;
end
$$;
