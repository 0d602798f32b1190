-- What execution did outside, or may have done, and the money that is held for it.

-- The journal: a row is committed before its call leaves. `sent` means that somebody may be calling right now or has died doing so.
create table effects (
  account_id text collate "C" not null,
  mode mode not null,
  cart_id text collate "C" not null,
  attempt smallint not null check (attempt > 0),
  step text not null check (step in ('authorize', 'issue_credential', 'place', 'capture', 'void', 'revoke', 'refund')),
  -- What the callee knows the call by: deterministic, so that a second sending is the same call.
  key text collate "C" not null,
  intent_id text collate "C" not null,
  request_digest bytea not null,
  -- Without secrets.
  request jsonb not null,
  -- `unsent`: it is proven that nothing left. `closed`: the callee refuses the key from now on, and nothing came of it.
  state text not null check (state in ('unsent', 'sent', 'unknown', 'done', 'refused', 'closed')),
  -- How often it was sent, and whether one of these sendings may have left.
  tries integer not null default 1,
  may_have_left boolean not null default false,
  -- How often the callee was asked about it, and what it said last. `closed`: it refuses the key now; `not_before` has still to pass.
  asked integer not null default 0,
  asked_at timestamptz,
  heard text check (heard in ('nothing', 'not_found', 'pending', 'closed')),
  answer jsonb,
  sent_at timestamptz not null,
  settled_at timestamptz,
  -- The earliest time at which "not found" proves that nothing happened.
  not_before timestamptz not null,
  primary key (account_id, mode, cart_id, attempt, step),
  unique (account_id, mode, key),
  foreign key (account_id, mode, cart_id) references carts
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
  primary key (account_id, mode, cart_id, attempt),
  foreign key (account_id, mode, cart_id) references carts,
  constraint captured_within_authorized check (captured_amount >= 0 and captured_amount <= amount),
  constraint captured_only_when_captured check (status in ('captured', 'refunded') or captured_amount = 0)
);
