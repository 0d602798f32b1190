-- Where a merchant's backend is told of events, and every attempt at telling it.

create table destinations (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  id text collate "C" not null,
  name text not null,
  responds_to_quotes boolean not null,
  event_types text[] not null,
  endpoint_url text not null,
  status text not null check (status in ('enabled', 'disabled', 'archived')),
  disabled_reason text check (disabled_reason in ('requested', 'gone', 'failing')),
  disabled_at timestamptz,
  archived_at timestamptz,
  -- Nothing but failure since then; null once anything succeeds.
  failing_since timestamptz,
  metadata jsonb not null default '{}',
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, mode, id),
  check ((status = 'disabled') = (disabled_reason is not null)),
  check (not responds_to_quotes or 'quote.requested' = any (event_types))
);
-- Disabling keeps the designation, so that enabling cannot fail; archiving frees it.
create unique index destinations_one_responder on destinations (account_id, mode) where responds_to_quotes and status <> 'archived';

-- The door from a signed response to its tenant.
create unique index destinations_id on destinations (id);

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
  foreign key (account_id, mode, destination_id) references destinations
);
create unique index destination_subscriptions_open on destination_subscriptions (account_id, mode, destination_id, event_type)
  where subscribed_until is null;

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
  foreign key (account_id, mode, destination_id) references destinations
);

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
  primary key (account_id, mode, id),
  foreign key (account_id, mode, destination_id) references destinations,
  -- Deferred: a delivery that does not wait for the relay is written before its event.
  foreign key (event_account_id, mode, event_id) references events deferrable initially deferred,
  check ((status in ('pending', 'failed')) = (due_at is not null)),
  check ((response_received_at is null) = (response_accepted is null)),
  check (lease_until is null or due_at is not null)
);
create unique index deliveries_event on deliveries (account_id, mode, destination_id, event_id);
create index deliveries_history on deliveries (account_id, mode, destination_id, id);
create index deliveries_due on deliveries (account_id, mode, destination_id, due_at) where due_at is not null;
create index deliveries_leased on deliveries (account_id, mode, destination_id, lease_until) where lease_until is not null;
-- What a later event of the same aggregate has to wait for.
create index deliveries_unattempted on deliveries (account_id, mode, destination_id, aggregate_id, sequence)
  where first_attempt_at is null;
create index deliveries_of_event on deliveries (event_account_id, mode, event_id);
-- One answer is taken per event, whichever destination it was sent to.
create unique index deliveries_one_answer on deliveries (event_account_id, mode, event_id) where response_accepted;

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
  primary key (account_id, mode, delivery_id, position),
  foreign key (account_id, mode, delivery_id) references deliveries
);
