-- What the vault process keeps: card numbers, each sealed under a key of its own. The schema is a new one, because the grants of the
-- version before reach every table of `vault`. API and worker get no right here: `migrate` and `up` give the schema to the vault's role.
create schema card_vault;

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
