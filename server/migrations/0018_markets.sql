-- Where a merchant sells, from where, and what delivery costs there.

create table business_locations (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  id text collate "C" not null,
  name text not null,
  address jsonb not null,
  timezone text not null,
  visibility text not null check (visibility in ('private', 'public')),
  hours jsonb not null,
  latitude double precision check (latitude between -90 and 90),
  longitude double precision check (longitude between -180 and 180),
  -- The provider that the location is synchronized from, and the fields that are its own.
  source_provider text,
  source_fields text[] not null,
  status text not null check (status in ('active', 'archived')),
  metadata jsonb not null,
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (account_id, mode, id),
  check ((latitude is null) = (longitude is null)),
  check ((status = 'archived') = (archived_at is not null))
);

create table markets (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  id text collate "C" not null,
  code text not null,
  name text not null,
  currency text not null,
  default_locale text not null,
  locales text[] not null,
  include jsonb not null,
  exclude jsonb not null,
  priority integer not null,
  is_fallback boolean not null,
  status text not null check (status in ('active', 'archived')),
  metadata jsonb not null,
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (account_id, mode, id),
  check ((status = 'archived') = (archived_at is not null))
);
-- An archived market gives its code free.
create unique index markets_code on markets (account_id, mode, lower(code)) where status <> 'archived';
create unique index markets_one_fallback on markets (account_id, mode) where is_fallback and status <> 'archived';

-- What the markets that are not archived include, taken apart: a country, one of its subdivisions or all ('') and the beginning of a postal
-- code or any (''). Two regions of one specificity overlap only where they are equal, so that the key is the rule against overlaps.
create table market_regions (
  account_id text collate "C" not null,
  mode mode not null,
  country text collate "C" not null,
  subdivision text collate "C" not null,
  postal_prefix text collate "C" not null,
  priority integer not null,
  market_id text collate "C" not null,
  constraint market_regions_overlap primary key (account_id, mode, country, subdivision, postal_prefix, priority),
  foreign key (account_id, mode, market_id) references markets
);
create index market_regions_market on market_regions (account_id, mode, market_id);

create table rate_cards (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  id text collate "C" not null,
  name text not null,
  fulfillment_type text not null check (fulfillment_type in ('shipping', 'delivery', 'pickup', 'digital', 'service')),
  provider text,
  currency text not null,
  market_ids text[] not null,
  timing jsonb not null,
  rate jsonb not null,
  zones jsonb not null,
  labels text[] not null,
  location_ids text[] not null,
  status text not null check (status in ('draft', 'active', 'inactive', 'archived')),
  metadata jsonb not null,
  search text generated always as (lower(name || ' ' || coalesce(provider, '') || ' ' || id)) stored,
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (account_id, mode, id),
  check ((status = 'archived') = (archived_at is not null))
);
create index rate_cards_active on rate_cards (account_id, mode, fulfillment_type) where status = 'active';
create index rate_cards_search on rate_cards using gin (search gin_trgm_ops);
create index rate_cards_market on rate_cards using gin (market_ids);
