-- A promotion with a code is for the carts that name it alone. A process of the version before offers it to every cart.
set local lock_timeout = '400ms';
alter table promotions add column code text;

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
