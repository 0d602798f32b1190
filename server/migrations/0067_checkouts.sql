-- What platforms elsewhere put together at merchants of ours, before they pay: goods, destination, way of delivery, and the price of it.
-- How it stands follows from the row, its sale and the time, so nothing has to be done when its time is over.
create table checkouts (
  -- Of the merchant.
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  -- The address of the profile of the platform.
  platform text not null,
  -- Whether it was opened by a signed request: then only signed ones read and change it.
  is_signed boolean not null,
  state text not null check (state in ('open', 'completing', 'canceled')),
  currency text not null,
  lines jsonb not null,
  buyer jsonb,
  delivery jsonb,
  codes jsonb not null,
  price jsonb not null,
  messages jsonb not null,
  attribution jsonb not null,
  -- Where the platform wants to be told of the order; null before a payment is tried.
  notify jsonb,
  payments integer not null default 0,
  sale_id text collate "C",
  order_id text collate "C",
  expires_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, mode, id),
  check ((sale_id is null) = (payments = 0)),
  check (state <> 'completing' or sale_id is not null)
);
create index checkouts_of_order on checkouts (account_id, mode, order_id) where order_id is not null;
create index checkouts_age on checkouts (expires_at) where order_id is null;

-- What platforms have to be told of their orders: one row for each order, since each message tells its newest state.
create table order_notices (
  account_id text collate "C" not null,
  mode mode not null,
  -- Of the order.
  id text collate "C" not null,
  -- The last change that the platform has to be told, and the last that it was told.
  sequence integer not null,
  told integer not null default 0,
  attempts integer not null default 0,
  failing_since timestamptz,
  error text,
  due_at timestamptz,
  is_due boolean,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  step_failures integer not null default 0,
  step_failing_since timestamptz,
  step_error text,
  created_at timestamptz not null,
  primary key (account_id, mode, id)
);
create index order_notices_due_of_tenant on order_notices (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
create index order_notices_due_later on order_notices (mode, coalesce(due_at, 'infinity')) where not is_due;

create trigger note_due_of_new before insert on order_notices for each row execute function note_due_of_new();
create trigger note_due before update of due_at on order_notices for each row execute function note_due();
alter table order_notices enable always trigger note_due_of_new, enable always trigger note_due;
