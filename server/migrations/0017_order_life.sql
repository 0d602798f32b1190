-- What becomes of an order after it was placed: a lower price, refunds, returns.

alter table orders
  -- What the buyer authorized: the first total. Null as long as the total is still that one.
  add column authorized_amount bigint,
  -- The rate that the tax was computed with; null where the merchant named the tax itself.
  add column tax_basis_points integer,
  add column refunds jsonb not null default '[]',
  add column returns jsonb not null default '[]',
  -- What refunds come to that are under way or have succeeded.
  add column refunds_amount bigint not null default 0;

-- Every row there is holds them, since the columns are new: nothing has to be read for it.
alter table orders
  add constraint orders_within_authorized check (authorized_amount is null or total_amount <= authorized_amount) not valid,
  add constraint orders_refunds_within_captured check (
    refunds_amount >= 0 and refunds_amount <= total_amount
    and (refunds_amount = 0 or payment_status in ('captured', 'partially_refunded', 'refunded'))) not valid;

-- The work and the journal of each refund; what people are shown of it stands in its order. It is committed before a call leaves, and
-- its id is the key that the payment rail knows it by.
create table order_refunds (
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  order_id text collate "C" not null,
  -- Which capture it takes back.
  cart_id text collate "C" not null,
  attempt smallint not null check (attempt > 0),
  amount bigint not null check (amount > 0),
  currency text not null,
  status text not null check (status in ('pending', 'succeeded', 'failed')),
  -- How often it was sent, how often asked about, and whether one of the sendings may have arrived.
  tries integer not null default 0,
  asked integer not null default 0,
  may_have_left boolean not null default false,
  -- The rail's own id of the refund, or its reason for a refusal.
  reference text,
  failure_code text,
  sent_at timestamptz,
  settled_at timestamptz,
  due_at timestamptz,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  created_at timestamptz not null,
  primary key (account_id, mode, id),
  foreign key (account_id, mode, order_id) references orders,
  check ((status = 'pending') = (settled_at is null)),
  check ((status = 'pending') = (due_at is not null))
);
create index order_refunds_of_order on order_refunds (account_id, mode, order_id);
create index order_refunds_due on order_refunds (due_at) where due_at is not null;
