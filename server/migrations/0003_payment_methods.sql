-- Payment methods of profiles. The card itself stands in the vault's own schema, sealed record by record, and has no way back out
-- through the API.

create schema vault;

create table vault.cards (
  account_id text collate "C" not null,
  mode mode not null,
  -- Our token form; opaque outside the vault.
  token text collate "C" not null,
  sealed bytea not null,
  created_at timestamptz not null,
  primary key (account_id, mode, token)
);

create table payment_methods (
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  profile_id text collate "C" not null,
  type text not null check (type in ('card')),
  is_default boolean not null,
  label text,
  billing_address_id text collate "C",
  card_kind text not null check (card_kind in ('existing', 'issued')),
  card_brand text not null,
  card_last4 text not null,
  card_exp_month smallint not null,
  card_exp_year smallint not null,
  vault_token text collate "C" not null,
  -- The listed identifier a test-mode card stands for; null for cards from the component.
  test_card text,
  enrollment_requested boolean not null,
  agentic_status text not null check (
    agentic_status in ('not_requested', 'pending_verification', 'active', 'ineligible', 'rejected', 'suspended')),
  -- What a pending enrolment waits for, in order; empty when it waits for nothing.
  pending_steps text[] not null default '{}',
  failed_verifications smallint not null default 0,
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (account_id, mode, id),
  foreign key (account_id, mode, profile_id) references profiles (account_id, mode, id)
);
create index payment_methods_profile on payment_methods (account_id, mode, profile_id, id);
create unique index payment_methods_one_default on payment_methods (account_id, mode, profile_id)
  where is_default and deleted_at is null;
