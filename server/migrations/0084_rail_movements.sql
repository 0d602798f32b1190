-- What a payment rail reports after a purchase: captures, reversals and refunds at merchants who have never heard of us.
set local lock_timeout = '400ms';

-- What of a charge was given back, in all. A refund changes neither what was captured nor what the cart has cost.
alter table authorizations add column refunded_amount bigint not null default 0;
alter table authorizations add constraint refunded_within_captured
  check (refunded_amount >= 0 and refunded_amount <= amount) not valid;
alter table carts add column refunded_amount bigint not null default 0;

-- A stranger gives back a part of its first parcel while the second is still held: the payment is not captured yet.
alter table orders drop constraint orders_refunds_within_captured;
alter table orders add constraint orders_refunds_within_captured check (
  refunds_amount >= 0 and refunds_amount <= total_amount
  and (refunds_amount = 0 or channel <> 'native' or payment_status in ('captured', 'partially_refunded', 'refunded'))) not valid;

-- The credentials that strangers charge, by their names at the rail: whose movement it is. A name is known to one cart alone.
create table followed_credentials (
  account_id text collate "C" not null,
  mode mode not null,
  reference text collate "C" not null,
  cart_id text collate "C" not null,
  attempt smallint not null,
  primary key (mode, reference)
);

-- How far the movements of a rail were read. A row is a job of workers; it is made with the first credential that a stranger may charge.
create table rail_feeds (
  -- Of no account that anybody can open: a rail reports for all.
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  -- The rail's own; null: from its first movement on.
  position text collate "C",
  -- How many pages in a row had nothing new.
  empty_pages integer not null default 0,
  due_at timestamptz,
  is_due boolean,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  step_failures integer not null default 0,
  step_failing_since timestamptz,
  step_error text,
  primary key (account_id, mode, id)
);
create index rail_feeds_due_of_tenant on rail_feeds (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
create index rail_feeds_due_later on rail_feeds (mode, coalesce(due_at, 'infinity')) where not is_due;

create trigger note_due_of_new before insert on rail_feeds for each row execute function note_due_of_new();
create trigger note_due before update of due_at on rail_feeds for each row execute function note_due();
alter table rail_feeds enable always trigger note_due_of_new, enable always trigger note_due;

-- Each movement once, by the rail's id. `kept`: nobody here knows its credential. `due`: its cart has not looked at it yet.
create table rail_movements (
  mode mode not null,
  id text collate "C" not null,
  reference text collate "C" not null,
  is_refund boolean not null,
  -- The sum of all refunds of the credential up to this one.
  refunded_amount bigint not null check (refunded_amount >= 0),
  state text collate "C" not null check (state in ('kept', 'due', 'applied', 'refused')),
  account_id text collate "C",
  cart_id text collate "C",
  attempt smallint,
  received_at timestamptz not null,
  primary key (mode, id),
  check ((state = 'kept') = (cart_id is null) and (cart_id is null) = (account_id is null) and (cart_id is null) = (attempt is null))
);
create index rail_movements_due on rail_movements (account_id, mode, cart_id) where state = 'due';
create index rail_movements_kept on rail_movements (mode, reference) where state = 'kept';
create index rail_movements_age on rail_movements (received_at);
