-- # Cards that a payment rail keeps itself
set local lock_timeout = '400ms';

-- Who a profile is at a rail that keeps cards, from its first card on.
create table rail_customers (
  account_id text collate "C" not null,
  mode mode not null,
  profile_id text collate "C" not null,
  rail text collate "C" not null,
  customer text collate "C" not null,
  created_at timestamptz not null,
  primary key (account_id, mode, profile_id, rail),
  foreign key (account_id, mode, profile_id) references profiles
);

-- A card that a person is entering at the rail, and perhaps confirming with its bank. The answer is asked of the rail.
create table card_setups (
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  profile_id text collate "C" not null,
  rail text collate "C" not null,
  customer text collate "C" not null,
  reference text collate "C" not null,
  created_at timestamptz not null,
  -- When its card became a payment method: it becomes one once.
  used_at timestamptz,
  expires_at timestamptz not null,
  primary key (account_id, mode, id),
  foreign key (account_id, mode, profile_id) references profiles
);
create index card_setups_expired on card_setups (expires_at);

-- Where the rail keeps the card: its name, its customer, and its name for the card. Null for a card of the vault, and of test mode.
alter table payment_methods
  add column kept_by text collate "C",
  add column kept_customer text collate "C",
  add column kept_method text collate "C",
  add constraint payment_methods_kept_whole check (
    (kept_by is null) = (kept_customer is null) and (kept_by is null) = (kept_method is null)) not valid;
