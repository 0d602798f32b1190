-- # Wallets whose people approve each purchase
set local lock_timeout = '400ms';

-- The sign-in of a person to their wallet at a payment rail. Sealed: first what it is asked for with, then its tokens; null once it has ended.
create table wallets (
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  profile_id text collate "C" not null,
  rail text collate "C" not null,
  state text not null check (state in ('waiting', 'open', 'ended')),
  sealed bytea,
  -- Until when its person can sign in; null once they have, or it has ended.
  sign_in_until timestamptz,
  -- From when on its tokens are renewed, and until when somebody is at it.
  renew_at timestamptz,
  renewing_until timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, mode, id),
  foreign key (account_id, mode, profile_id) references profiles,
  constraint wallets_of_state check (
    (state = 'ended') = (sealed is null) and (state = 'waiting') = (sign_in_until is not null)
    and (state = 'open') = (renew_at is not null))
);
create index wallets_never_opened on wallets (sign_in_until) where sign_in_until is not null;

-- A wallet pays as well, and nobody here knows a card of it.
alter table payment_methods
  alter column card_kind drop not null,
  alter column card_brand drop not null,
  alter column card_last4 drop not null,
  alter column card_exp_month drop not null,
  alter column card_exp_year drop not null,
  drop constraint payment_methods_type_check,
  add constraint payment_methods_type_check check (type in ('card', 'link')) not valid,
  add constraint payment_methods_card_whole check (
    (type = 'card') = (card_kind is not null) and (type = 'card') = (card_brand is not null)
    and (type = 'card') = (card_last4 is not null) and (type = 'card') = (card_exp_month is not null)
    and (type = 'card') = (card_exp_year is not null)) not valid;
