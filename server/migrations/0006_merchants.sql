-- What an account is as a seller: at most one record per mode, and the items it sells.

create table merchants (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  slug text,
  domain text check (domain = lower(domain)),
  -- Null: the domain is only claimed, and routes nobody's purchases but the account's own.
  domain_verified_at timestamptz,
  -- Published by whoever controls the domain; no secret.
  verification_token text not null,
  name text,
  mcc text check (mcc ~ '^[0-9]{4}$'),
  country text,
  currency text,
  tax_basis_points integer not null check (tax_basis_points between 0 and 10000),
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, mode)
);
create unique index merchants_slug on merchants (mode, slug);
create unique index merchants_verified_domain on merchants (mode, domain) where domain_verified_at is not null;
create index merchants_domain on merchants (mode, domain);

-- Variants belong to the item, are written with it and read with it, hence in its row.
create table catalog_items (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  id text collate "C" not null,
  handle text,
  title text,
  description text,
  url text,
  -- The URL as purchases are matched by it: host in lower case, without fragment and utm_* parameters.
  url_key text,
  item_type text not null check (item_type in ('product', 'digital', 'service', 'booking')),
  categories text[] not null,
  media jsonb not null,
  options jsonb not null,
  variants jsonb not null,
  status text not null check (status in ('draft', 'published', 'archived')),
  metadata jsonb not null,
  search text generated always as (
    lower(coalesce(title, '') || ' ' || coalesce(handle, '') || ' ' || coalesce(url, '') || ' ' || id || ' ' ||
      -- As JSON text, but for the quotes inside it.
      replace(jsonb_path_query_array(variants, '$[*].id')::text || jsonb_path_query_array(variants, '$[*].sku')::text ||
        jsonb_path_query_array(variants, '$[*].barcode')::text || jsonb_path_query_array(variants, '$[*].title')::text,
        '\"', '"'))) stored,
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  published_at timestamptz,
  archived_at timestamptz,
  primary key (account_id, mode, id),
  check (status <> 'published' or (title is not null and jsonb_array_length(variants) > 0))
);
-- An archived item gives its handle and its URL free.
create unique index catalog_items_handle on catalog_items (account_id, mode, handle) where status <> 'archived';
create unique index catalog_items_url on catalog_items (account_id, mode, url_key) where status <> 'archived';
create index catalog_items_search on catalog_items using gin (search gin_trgm_ops);
create index catalog_items_variants on catalog_items using gin (variants jsonb_path_ops);
