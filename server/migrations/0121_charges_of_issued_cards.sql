-- Answers to merchants that charge a card which was issued for a cart
set local lock_timeout = '400ms';

-- An issued card from when its number may be typed on. Who decides about a charge locks its row.
create table chargeable_cards (
  account_id text collate "C" not null,
  mode mode not null,
  -- As its rail names it.
  reference text collate "C" not null,
  cart_id text collate "C" not null,
  attempt integer not null,
  -- Whose purchase it is, for freezes.
  profile_id text collate "C" not null,
  agent_id text collate "C",
  limit_amount bigint not null check (limit_amount > 0),
  -- What merchants were allowed and have not given back. The limit is of this.
  allowed_amount bigint not null default 0 check (allowed_amount between 0 and limit_amount),
  currency text not null,
  -- Where the merchant may be; null: anywhere.
  countries text[],
  is_open boolean not null default true,
  -- The first merchant that was allowed something, as the network of the card names it; no other one is.
  network_id text,
  network_name text,
  primary key (account_id, mode, reference),
  unique (mode, reference),
  check ((network_id is null) = (network_name is null))
);

-- What merchants have asked of it, each with its answer, which is written before it is given.
create table card_authorizations (
  account_id text collate "C" not null,
  mode mode not null,
  -- As the rail names the authorization, and which request on it this is, from 0.
  authorization_id text collate "C" not null,
  request integer not null,
  reference text collate "C" not null,
  amount bigint not null check (amount >= 0),
  currency text not null,
  network_id text not null,
  network_name text not null,
  country text,
  -- Null: it was approved.
  declined_because text,
  decided_at timestamptz not null,
  primary key (account_id, mode, authorization_id, request),
  foreign key (account_id, mode, reference) references chargeable_cards
);

create index card_authorizations_of_card on card_authorizations (account_id, mode, reference, decided_at);
