-- What a search has shown, so that a sale or an impression later can be counted for it: one row for each answer with products.
create table attributions (
  mode mode not null,
  -- Random; the attribution id that callers hold names it under our signature.
  id bytea not null,
  -- The products that were shown, and of each the account of its merchant.
  item_ids text[] collate "C" not null,
  merchant_ids text[] collate "C" not null,
  created_at timestamptz not null,
  primary key (mode, id)
);
create index attributions_age on attributions (created_at);

-- Each product, or exact variant, that was seen by somebody: once for each answer.
create table impressions (
  mode mode not null,
  attribution_id bytea not null,
  item_id text collate "C" not null,
  -- Empty for the product as a whole.
  variant_id text collate "C" not null,
  created_at timestamptz not null,
  primary key (mode, attribution_id, item_id, variant_id),
  foreign key (mode, attribution_id) references attributions on delete cascade
);
