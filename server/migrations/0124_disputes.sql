-- # What rails report, and disputes
set local lock_timeout = '400ms';

-- What the holder of the card disputes at their bank, as both sides of the order see it; with the rail's own id.
alter table orders add column dispute jsonb;

-- Each event of a rail once, by the rail's id: what it was about, and no word of what it said.
create table rail_events (
  mode mode not null,
  id text collate "C" not null,
  type text collate "C" not null,
  object_id text collate "C" not null,
  -- Whose dispute it is; null: it is about money of somebody else at the same account of the rail.
  account_id text collate "C",
  happened_at timestamptz not null,
  received_at timestamptz not null,
  primary key (mode, id)
);
create index rail_events_age on rail_events (received_at);

-- How far the events of a rail were read, for those that nobody was told of. A row is a job of workers.
create table rail_event_feeds (
  -- Of no account that anybody can open: a rail reports for all.
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  -- The rail's own; null: from its first event on.
  position text collate "C",
  due_at timestamptz,
  is_due boolean,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  step_failures integer not null default 0,
  step_failing_since timestamptz,
  step_error text,
  primary key (account_id, mode, id)
);
create index rail_event_feeds_due_of_tenant on rail_event_feeds (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
create index rail_event_feeds_due_later on rail_event_feeds (mode, coalesce(due_at, 'infinity')) where not is_due;
create trigger note_due before update of due_at on rail_event_feeds for each row execute function note_due();
create trigger note_due_of_new before insert on rail_event_feeds for each row execute function note_due_of_new();
alter table rail_event_feeds enable always trigger note_due_of_new, enable always trigger note_due;

-- Payments that holders of cards dispute. A row is a job of workers: it is read again, and what the merchant was paid follows it.
create table disputes (
  -- The buyer's.
  account_id text collate "C" not null,
  mode mode not null,
  -- As the rail names it.
  id text collate "C" not null,
  rail text collate "C" not null,
  -- What is disputed, as the rail names it.
  hold text collate "C" not null,
  order_id text collate "C" not null,
  -- Who has sold it; null: a merchant who has never heard of us.
  merchant_account_id text collate "C",
  status text not null check (status in ('needs_response', 'under_review', 'closed')),
  outcome text check (outcome in ('won', 'lost', 'dropped')),
  amount bigint not null default 0 check (amount >= 0),
  currency text not null,
  due_by timestamptz,
  -- What the bank has taken at this time.
  withdrawn_amount bigint not null default 0 check (withdrawn_amount >= 0),
  -- What of that the merchant's share has followed.
  followed_amount bigint not null default 0 check (followed_amount >= 0),
  -- What of it was taken back from the merchant, who was paid it.
  recovered_amount bigint not null default 0 check (recovered_amount >= 0),
  -- What the merchant owes, because its account at the rail has too little.
  owed_amount bigint not null default 0 check (owed_amount >= 0),
  -- The call that is to be made, or was: its key at the rail is made of the id and the number. Null: none.
  move text check (move in ('recover', 'pay')),
  move_amount bigint check (move_amount > 0),
  moves integer not null default 0,
  -- How often the rail has told of it: what is told while it is read makes it due again.
  told integer not null default 1,
  due_at timestamptz,
  is_due boolean,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  step_failures integer not null default 0,
  step_failing_since timestamptz,
  step_error text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, mode, id),
  foreign key (account_id, mode, order_id) references orders,
  check ((move is null) = (move_amount is null)),
  check ((outcome is not null) = (status = 'closed'))
);
create unique index disputes_of_rail on disputes (mode, id);
create index disputes_due_of_tenant on disputes (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
create index disputes_due_later on disputes (mode, coalesce(due_at, 'infinity')) where not is_due;
create index disputes_owed on disputes (merchant_account_id, mode) where owed_amount > 0;
create trigger note_due before update of due_at on disputes for each row execute function note_due();
create trigger note_due_of_new before insert on disputes for each row execute function note_due_of_new();
alter table disputes enable always trigger note_due_of_new, enable always trigger note_due;
