-- # A person proves that a card is theirs

set local lock_timeout = '400ms';

-- What was asked of a person, for one card: for one purchase at one cap, or for the enrollment of the card.
create table payment_verifications (
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  -- The publishable key of the page: what was begun with it ends with it.
  key_id text collate "C" not null,
  profile_id text collate "C" not null,
  payment_method_id text collate "C" not null,
  purchase_intent_id text collate "C",
  purpose text not null check (purpose in ('approval', 'enrollment')),
  method text not null check (method in ('none', 'cvc', 'otp', 'passkey', 'popup')),
  -- The cap that the person is shown; of an enrollment there is none.
  amount bigint,
  currency text,
  -- The origin of the page of the integrator.
  page text not null,
  -- Of the token in the address of a window of ours. Its last opening has the challenge.
  window_hash bytea,
  opened_at timestamptz,
  challenge text,
  status text not null check (status in ('pending', 'proven', 'refused')),
  used_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (account_id, mode, id),
  check ((purpose = 'approval') = (purchase_intent_id is not null and amount is not null and currency is not null)),
  check (used_at is null or status = 'proven')
);
create unique index payment_verifications_window on payment_verifications (window_hash) where window_hash is not null;
create index payment_verifications_age on payment_verifications (expires_at);

-- A passkey is one card's: that in whose enrollment it was made.
create table card_passkeys (
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  payment_method_id text collate "C" not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (account_id, mode, id)
);
create index card_passkeys_method on card_passkeys (account_id, mode, payment_method_id);

-- Tokens of security codes that have approved a purchase. The codes themselves are nowhere.
create table used_security_codes (
  account_id text collate "C" not null,
  mode mode not null,
  hash bytea not null,
  purchase_intent_id text collate "C" not null,
  used_at timestamptz not null,
  primary key (account_id, mode, hash)
);
create index used_security_codes_age on used_security_codes (used_at);
