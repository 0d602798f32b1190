-- # Refusals in a row
set local lock_timeout = '400ms';

-- How many cards and codes of a profile were refused in a row, from one address, in components without a client secret. What the bank says of a card is
-- known here, and what is no card at all is known to the vault, which counts in a table of its own and sees these as well.
create table card_refusals (
  account_id text collate "C" not null,
  mode mode not null,
  -- Profile and address.
  place text collate "C" not null,
  profile_id text collate "C" not null,
  address text collate "C" not null,
  refused integer not null,
  expires_at timestamptz not null,
  primary key (account_id, mode, place)
);
create index card_refusals_profile on card_refusals (account_id, mode, profile_id);
create index card_refusals_address on card_refusals (account_id, mode, address);
create index card_refusals_age on card_refusals (expires_at);

create view refused_cards as
  select account_id, mode, profile_id, address, refused from card_refusals where expires_at > prokura_now();

create table card_vault.refusals (
  account_id text collate "C" not null,
  mode mode not null,
  profile_id text collate "C" not null,
  address text collate "C" not null,
  refused integer not null,
  expires_at timestamptz not null,
  primary key (account_id, mode, profile_id, address)
);
create index refusals_address on card_vault.refusals (account_id, mode, address);
create index refusals_age on card_vault.refusals (expires_at);

-- The vault has to know in which sessions refusals count.
create or replace view card_sessions as
  select s.hash, s.account_id, s.mode, s.key_id, s.component, s.profile_id, s.purchase_intent_id, s.may, s.expires_at, s.is_vouched
  from element_sessions s
  join api_keys k on k.account_id = s.account_id and k.mode = s.mode and k.id = s.key_id
  where s.expires_at > prokura_now() and k.revoked_at is null and (k.expires_at is null or k.expires_at > prokura_now());
