-- Orders at merchants who have never heard of us. They stand beside the others, as their buyer reads them; no merchant's account has them,
-- and nobody here is awaited. What their merchants write about them comes in messages.
set local lock_timeout = '400ms';

-- Where the buyer sees an order at its merchant.
alter table carts add column order_url text;

alter table orders
  -- How it was bought: `native` is a merchant of ours.
  add column channel text collate "C" not null default 'native',
  add column order_url text,
  alter column merchant_account_id drop not null,
  alter column expires_at drop not null,
  -- Confirmed means answered, with a reference, exactly once: by a merchant of ours. A stranger confirms by taking the order.
  drop constraint orders_check1,
  drop constraint orders_check3;

-- Every row there is holds them, as it held the narrower ones: nothing has to be read for it.
alter table orders
  add constraint orders_answered check (channel <> 'native'
    or (status not in ('confirmed', 'fulfilling', 'completed') or confirmation_reference is not null)
      and (status not in ('confirmed', 'rejected', 'fulfilling', 'completed') or response_digest is not null)) not valid,
  add constraint orders_of_strangers check ((channel = 'native') = (merchant_account_id is not null)
    and (channel = 'native') = (expires_at is not null)
    and (channel = 'native' or (cart_id is not null and buyer is null and due_at is null and response_digest is null
      and status in ('confirmed', 'fulfilling', 'completed', 'cancelled')))) not valid;

-- How the messages of a merchant name an order. One that names a checkout of an order before it is about that order alone.
create table stranger_orders (
  account_id text collate "C" not null,
  mode mode not null,
  order_id text collate "C" not null,
  -- The address of the profile whose keys sign.
  sender text collate "C" not null,
  -- A hash of the merchant's id of the checkout, which is any text.
  checkout bytea not null,
  -- By its sender's clock, the time of the newest message that was applied.
  told_at timestamptz,
  created_at timestamptz not null,
  primary key (account_id, mode, order_id)
);
create unique index stranger_orders_checkout on stranger_orders (checkout, sender);

-- Messages about orders. One that comes before its order is kept with what it says; of the others only the id is left, which is taken once.
create table order_messages (
  sender text collate "C" not null,
  -- A hash of the id that the sender gave it.
  message bytea not null,
  checkout bytea not null,
  state text collate "C" not null check (state in ('kept', 'applied', 'older')),
  sent_at timestamptz not null,
  received_at timestamptz not null,
  -- The order that it is about; null while there is none.
  account_id text collate "C",
  mode mode,
  order_id text collate "C",
  news jsonb,
  primary key (sender, message),
  check ((state = 'kept') = (news is not null)),
  check ((state = 'kept') = (order_id is null)),
  check ((order_id is null) = (account_id is null) and (order_id is null) = (mode is null))
);
create index order_messages_kept on order_messages (sender, checkout, sent_at) where state = 'kept';
create index order_messages_kept_age on order_messages (received_at) where state = 'kept';
create index order_messages_age on order_messages (received_at) where state <> 'kept';
