-- What a site that nobody has added speaks, as it was seen when something was to be bought there in live mode. It is a cache, and no entry
-- of the registry: nobody lists it, and it ends.
create table site_looks (
  -- Of no account that anybody can open, as entries of the registry.
  account_id text collate "C" not null,
  mode mode not null,
  -- Of the item, with its port where that is not the usual one.
  host text collate "C" not null,
  -- Where it was found: the host itself, or its domain.
  origin text collate "C" not null,
  -- The protocols that were found, as in `registry_entries`. Empty: none.
  found jsonb not null,
  looked_at timestamptz not null,
  good_until timestamptz not null,
  primary key (account_id, mode, host),
  -- Test mode contacts nobody but sites of its registry.
  check (mode = 'live')
);
create index site_looks_age on site_looks (good_until);
