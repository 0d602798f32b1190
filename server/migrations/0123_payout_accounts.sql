-- # Accounts of merchants at the payment rail
set local lock_timeout = '400ms';

-- The operator has decided that the merchant sells nothing, whatever account it opens. A merchant without a row is undecided.
alter table merchant_payouts add column is_stopped boolean not null default false;

-- The account of a merchant at the payment rail, as it was read there last. The row is the queue of reading it again.
create table payout_accounts (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  -- As the rail names it.
  id text collate "C" not null,
  -- Whether it may be charged, and is paid out; null: it was not read yet.
  charges_enabled boolean,
  payouts_enabled boolean,
  -- What its people have still to say, in the words of the rail.
  requirements_due text[] not null default '{}',
  read_at timestamptz,
  -- When a link to the page of the rail was made last: soon after it somebody may be through with it.
  linked_at timestamptz,
  due_at timestamptz,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  step_failures integer not null default 0,
  step_failing_since timestamptz,
  step_error text,
  is_due boolean,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, mode, id)
);
create unique index payout_accounts_one on payout_accounts (account_id, mode);
create index payout_accounts_due_of_tenant on payout_accounts (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
create index payout_accounts_due_later on payout_accounts (mode, coalesce(due_at, 'infinity')) where not is_due;
create trigger note_due before update of due_at on payout_accounts for each row execute function note_due();
create trigger note_due_of_new before insert on payout_accounts for each row execute function note_due_of_new();
