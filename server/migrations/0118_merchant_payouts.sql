-- # Who is paid for what a merchant sells in live mode
set local lock_timeout = '400ms';

-- A merchant without a row sells nothing to buyers of this installation in live mode.
create table merchant_payouts (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  -- The merchant's account at the payment rail; null: the operator is paid, who is the merchant of record.
  payout_account text collate "C",
  set_by text not null,
  updated_at timestamptz not null,
  primary key (account_id, mode)
);
