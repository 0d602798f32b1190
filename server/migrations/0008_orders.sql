-- Orders are owned by the buyer's account and carry the merchant's; both sides read them, each by its own index.

create table orders (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  id text collate "C" not null,
  merchant_account_id text collate "C" not null,
  -- As they were when the order was placed.
  merchant_name text,
  merchant_slug text,
  merchant_domain text,
  purchase_intent_id text collate "C",
  cart_id text collate "C",
  attempt integer,
  quote_id text collate "C",
  status text not null check (
    status in ('awaiting_confirmation', 'confirmed', 'rejected', 'expired', 'cancelled', 'fulfilling', 'completed')),
  payment_status text not null check (
    payment_status in ('authorized', 'captured', 'partially_refunded', 'refunded', 'voided', 'failed')),
  currency text not null,
  subtotal_amount bigint not null check (subtotal_amount >= 0),
  fulfillment_amount bigint not null check (fulfillment_amount >= 0),
  tax_amount bigint not null check (tax_amount >= 0),
  discount_amount bigint not null check (discount_amount >= 0),
  total_amount bigint not null check (total_amount between 0 and 1000000000000),
  line_items jsonb not null,
  fulfillments jsonb not null default '[]',
  adjustments jsonb not null default '[]',
  customer jsonb not null,
  shipping_address jsonb,
  reservation_reference text,
  confirmation_reference text,
  -- What the merchant said to its answer, and what the buyer said to the cancellation.
  note text,
  cancel_reason text,
  -- The one accepted answer: the digest of its bytes, and who gave it.
  response_digest bytea,
  responded_by_type text,
  responded_by_id text collate "C",
  responded_at timestamptz,
  expires_at timestamptz not null,
  due_at timestamptz,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  search text generated always as (
    lower(id || ' ' || coalesce(merchant_name, '') || ' ' || coalesce(merchant_domain, '') || ' ' ||
      coalesce(confirmation_reference, '') || ' ' || coalesce(reservation_reference, '') || ' ' ||
      coalesce(customer ->> 'name', '') || ' ' || coalesce(customer ->> 'email', '') || ' ' ||
      -- As JSON text, but for the quotes inside it.
      replace(jsonb_path_query_array(line_items, '$[*].title')::text, '\"', '"'))) stored,
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, mode, id),
  foreign key (merchant_account_id, mode) references merchants (account_id, mode),
  foreign key (account_id, mode, purchase_intent_id) references purchase_intents,
  foreign key (account_id, mode, cart_id) references carts,
  check (total_amount = subtotal_amount + fulfillment_amount + tax_amount - discount_amount),
  -- Confirmed means answered, with a reference, exactly once.
  check (status not in ('confirmed', 'fulfilling', 'completed') or confirmation_reference is not null),
  check ((response_digest is null) = (responded_at is null)),
  check (status not in ('confirmed', 'rejected', 'fulfilling', 'completed') or response_digest is not null),
  check (status <> 'awaiting_confirmation' or (response_digest is null and due_at is not null))
);
create unique index orders_of_merchant on orders (merchant_account_id, mode, id);
create unique index orders_confirmation_reference on orders (merchant_account_id, mode, confirmation_reference);
create unique index orders_attempt on orders (account_id, mode, cart_id, attempt);
create index orders_due on orders (due_at) where due_at is not null;
