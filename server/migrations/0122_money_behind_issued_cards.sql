-- Money on buyers' cards that stands behind the cards which are issued for shops
set local lock_timeout = '400ms';

-- What is held at the buyer's own card while a shop charges the card that was issued for an attempt; then what of it was taken and given
-- back. A rail whose issued cards draw on the buyer's card by themselves has none.
create table fundings (
  account_id text collate "C" not null,
  mode mode not null,
  cart_id text collate "C" not null,
  attempt smallint not null check (attempt > 0),
  intent_id text collate "C" not null,
  rail text collate "C" not null,
  -- The rail's own id of the hold.
  reference text not null,
  amount bigint not null check (amount > 0),
  currency text not null,
  -- `expired`: the hold ended before all that the shop has authorized was captured.
  status text not null check (status in ('authorized', 'captured', 'voided', 'expired')),
  captured_amount bigint not null default 0,
  -- The rail's id of the capture, which a refund names.
  capture_reference text,
  -- What of the capture went back to the buyer, and the refund that is under way.
  returned_amount bigint not null default 0,
  returning_amount bigint not null default 0,
  -- When the hold ends at the buyer's bank.
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, mode, cart_id, attempt),
  constraint captured_within_funding check (captured_amount >= 0 and captured_amount <= amount),
  constraint captured_only_when_captured check (status = 'captured' or captured_amount = 0),
  constraint returned_within_captured check (
    returned_amount >= 0 and returning_amount >= 0 and returned_amount + returning_amount <= captured_amount)
);

-- What a shop took of an issued card beyond its limit, without asking: no buyer pays for it.
alter table authorizations add column beyond_limit bigint not null default 0 check (beyond_limit >= 0);

-- What issued cards spend is one balance of the operator's, for all accounts: a card is opened under the lock of its currency's row.
create table card_balances (
  mode mode not null,
  currency text collate "C" not null,
  primary key (mode, currency)
);

alter table chargeable_cards
  -- What was charged shortly before may not have been in a balance that was read then.
  add column closed_at timestamptz,
  add constraint closed_at_a_time check (is_open = (closed_at is null));

create index chargeable_cards_unspent on chargeable_cards (mode, currency, closed_at);
