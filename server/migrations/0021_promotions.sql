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
  primary key (account_id, mode, id),
  foreign key (account_id, mode, promotion_id) references promotions (account_id, mode, id),
  check ((due_at is not null) = (state = 'reserved' and order_id is null)),
  check (state <> 'settled' or order_id is not null)
);
create unique index promotion_redemptions_order on promotion_redemptions (account_id, mode, order_id) where order_id is not null;
create index promotion_redemptions_identity on promotion_redemptions (account_id, mode, promotion_id, identity_hash)
  where state <> 'released';
create index promotion_redemptions_open on promotion_redemptions (account_id, mode, cart_id) where state = 'reserved';
create index promotion_redemptions_due on promotion_redemptions (due_at) where due_at is not null;

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
