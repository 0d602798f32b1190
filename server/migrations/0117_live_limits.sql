-- # What live mode may spend
set local lock_timeout = '400ms';

-- By currency and day of UTC, what purchases of all accounts hold and have cost: the operator's own limit.
create table live_days (
  currency text collate "C" not null,
  day date not null,
  used bigint not null,
  primary key (currency, day)
);

-- What a purchase holds of a day, from its approval on; when it ends, what it has cost. A purchase that is tried again has several.
create table live_holds (
  account_id text collate "C" not null,
  mode mode not null,
  intent_id text collate "C" not null,
  number integer not null,
  currency text collate "C" not null,
  day date not null,
  amount bigint not null,
  -- Null: it is held.
  charged bigint,
  created_at timestamptz not null,
  primary key (account_id, mode, intent_id, number)
);

-- Purchases that the operator lets pass the limit of a day.
create table live_allowances (
  account_id text collate "C" not null,
  mode mode not null,
  intent_id text collate "C" not null,
  allowed_by text not null,
  created_at timestamptz not null,
  primary key (account_id, mode, intent_id)
);
