-- Quotes are owned by the buyer's account and carry the merchant's; both sides find them, each by its own index.

create domain quote_status as text check (value in ('pending', 'quoted', 'declined', 'requires_input', 'failed', 'expired', 'ordered', 'cancelled'));

create table quotes (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  id text collate "C" not null,
  merchant_account_id text collate "C" not null,
  -- As they were when the merchant was last asked.
  merchant_name text,
  merchant_slug text,
  merchant_domain text,
  merchant_currency text not null,
  catalog_item_id text collate "C",
  catalog_variant_id text collate "C",
  item_type text,
  items jsonb not null,
  quantity integer not null check (quantity between 1 and 10000),
  profile_id text collate "C",
  address_id text collate "C",
  -- Where it would go, as far as a price depends on it; the merchant is told no more.
  ship_to jsonb,
  price_proposal jsonb,
  inputs jsonb not null,
  note text,
  metadata jsonb not null,
  status quote_status not null,
  -- What the merchant answered to the round that counts.
  offers jsonb not null,
  required_inputs jsonb not null,
  message text,
  -- Each time that the merchant is asked is a round, with an event of its own; null while it has never been asked.
  round integer not null check (round >= 0),
  requested_event_id text collate "C",
  destination_id text collate "C",
  requested_at timestamptz,
  deadline_at timestamptz,
  responded_at timestamptz,
  responded_by_type text,
  responded_by_id text collate "C",
  failure text,
  expires_at timestamptz,
  accepted_offer_id text collate "C",
  purchase_intent_id text collate "C",
  cancelled_at timestamptz,
  -- When the quote expires, or has waited for its merchant for too long; null when nothing follows by itself.
  due_at timestamptz,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, mode, id),
  foreign key (merchant_account_id, mode) references merchants (account_id, mode),
  foreign key (merchant_account_id, mode, catalog_item_id) references catalog_items,
  foreign key (account_id, mode, profile_id) references profiles,
  -- Deferred: the quote is ordered before its purchase is written.
  foreign key (account_id, mode, purchase_intent_id) references purchase_intents deferrable initially deferred,
  check ((status in ('pending', 'quoted')) = (due_at is not null)),
  check ((status = 'ordered') = (purchase_intent_id is not null)),
  check ((status = 'ordered') = (accepted_offer_id is not null)),
  check (status <> 'pending' or (requested_event_id is not null and responded_at is null)),
  check (status not in ('quoted', 'declined', 'expired', 'ordered') or responded_at is not null),
  check (status not in ('quoted', 'expired', 'ordered') or (expires_at is not null and jsonb_array_length(offers) > 0)),
  check ((responded_at is null) = (responded_by_type is null))
);
create unique index quotes_of_merchant on quotes (merchant_account_id, mode, id);
create unique index quotes_purchase on quotes (account_id, mode, purchase_intent_id) where purchase_intent_id is not null;
create index quotes_due on quotes (due_at) where due_at is not null;

-- The one accepted answer of each round, by the event that asked for it: its exact bytes again are a retry, other bytes a conflict.
create table quote_answers (
  account_id text collate "C" not null,
  mode mode not null,
  quote_id text collate "C" not null,
  event_id text collate "C" not null,
  round integer not null,
  digest bytea not null,
  -- Who answered: the destination that signed, or the API key.
  actor_type text not null check (actor_type in ('destination', 'api_key')),
  actor_id text collate "C" not null,
  answered_at timestamptz not null,
  primary key (account_id, mode, quote_id, event_id),
  foreign key (account_id, mode, quote_id) references quotes
);

-- What a buyer must say before this item can be priced.
alter table catalog_items add column required_inputs jsonb not null default '[]';

-- A quote names an item of whoever sells it by its id alone.
create index catalog_items_published on catalog_items (mode, id) where status = 'published';
