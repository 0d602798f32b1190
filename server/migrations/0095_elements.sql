-- # Elements

set local lock_timeout = '400ms';

-- What a publishable key is for, and whether cards are listed or proven with it only under a secret that the integrator's server asked for.
alter table api_keys
  add column capabilities text[] not null default '{}',
  add column client_secrets text not null default 'optional' check (client_secrets in ('optional', 'required'));
update api_keys set capabilities = '{catalog:read}' where kind = 'publishable';

-- A page of the integrator that is about to show a component. Found by the hash of its token, which stands in the address of the frame.
create table element_bootstraps (
  account_id text collate "C" not null,
  mode mode not null,
  hash bytea not null,
  key_id text collate "C" not null,
  component text not null,
  -- The origin of the page, as its browser said it.
  origin text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (account_id, mode, hash),
  foreign key (account_id, mode, key_id) references api_keys on delete cascade
);
create unique index element_bootstraps_hash on element_bootstraps (hash);
create index element_bootstraps_age on element_bootstraps (expires_at);

-- What the integrator's server asked for, so that its own page may list and prove cards of one profile or one purchase.
create table element_client_secrets (
  account_id text collate "C" not null,
  mode mode not null,
  hash bytea not null,
  profile_id text collate "C" not null,
  purchase_intent_id text collate "C",
  components text[] not null,
  -- The bootstrap that used it first; another one gets nothing for it.
  bootstrap_hash bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (account_id, mode, hash)
);
create index element_client_secrets_age on element_client_secrets (expires_at);

-- What a component in a page may do, for one profile or one purchase intent of it.
create table element_sessions (
  account_id text collate "C" not null,
  mode mode not null,
  hash bytea not null,
  key_id text collate "C" not null,
  component text not null,
  origin text not null,
  profile_id text collate "C" not null,
  purchase_intent_id text collate "C",
  may text[] not null,
  created_at timestamptz not null,
  -- Moves on while it is used, up to its last moment.
  expires_at timestamptz not null,
  ends_at timestamptz not null,
  primary key (account_id, mode, hash),
  foreign key (account_id, mode, key_id) references api_keys on delete cascade
);
create unique index element_sessions_hash on element_sessions (hash);
create index element_sessions_age on element_sessions (ends_at);

-- The two things of the product that the vault sees: who may leave a card with it, and which cards somebody still has.
create view card_sessions as
  select s.hash, s.account_id, s.mode, s.key_id, s.component, s.profile_id, s.purchase_intent_id, s.may, s.expires_at
  from element_sessions s
  join api_keys k on k.account_id = s.account_id and k.mode = s.mode and k.id = s.key_id
  where s.expires_at > prokura_now() and k.revoked_at is null and (k.expires_at is null or k.expires_at > prokura_now());
create view kept_cards as
  select account_id, mode, vault_token from payment_methods where deleted_at is null;
create index payment_methods_token on payment_methods (account_id, mode, vault_token) where deleted_at is null;
