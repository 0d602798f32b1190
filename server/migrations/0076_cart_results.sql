-- What a merchant answered to a paid request is what was bought: it is kept for some days, sealed.
create table cart_results (
  account_id text collate "C" not null,
  mode mode not null,
  cart_id text collate "C" not null,
  intent_id text collate "C" not null,
  -- As the merchant names it; null: it did not, or not in the form of a media type.
  content_type text,
  bytes integer not null check (bytes between 0 and 1048576),
  sha256 bytea not null,
  -- Null: its time is over.
  sealed bytea,
  created_at timestamptz not null,
  primary key (account_id, mode, cart_id),
  foreign key (account_id, mode, intent_id) references purchase_intents
);
create index cart_results_age on cart_results (created_at) where sealed is not null;
