-- The sites that an operator has added to the registry, and what was found there. Merchants of ours stand in no row: the registry reads
-- their own.
create domain registry_channel as text check (value in ('ucp', 'mpp', 'browser'));

create table registry_entries (
  -- Of no account that anybody can open: entries are the operator's.
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  -- `https://shop.example`; in test mode also of this machine.
  origin text collate "C" not null,
  -- Of the origin, with its port where that is not the usual one.
  host text collate "C" not null,
  -- As the operator calls the merchant, and as the site calls itself.
  name text,
  site_name text,
  -- Null: whatever is found there may be used.
  channel registry_channel,
  -- For each protocol what was found, its status, and what is paid with.
  found jsonb not null,
  -- The documents of the last look, with what was wrong with them.
  evidence jsonb not null,
  -- The same as lists follow from `found`; they are what a search of the registry reads.
  -- Protocols that are live or degraded.
  speaks text[] not null,
  -- 0: something is live, 1: something is degraded, 2: nothing can be used.
  rank smallint not null check (rank between 0 and 2),
  payment_methods text[] not null,
  payment_instruments text[] not null,
  item_types text[] not null,
  mpp_categories text[] not null,
  -- How many looks in a row have not found everything that was known.
  failures integer not null check (failures >= 0),
  looked_at timestamptz,
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  due_at timestamptz,
  is_due boolean,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  step_failures integer not null default 0,
  step_failing_since timestamptz,
  step_error text,
  primary key (account_id, mode, id)
);
create unique index registry_entries_origin on registry_entries (mode, origin);
create index registry_entries_host on registry_entries (mode, host);
create index registry_entries_due_of_tenant on registry_entries (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
create index registry_entries_due_later on registry_entries (mode, coalesce(due_at, 'infinity')) where not is_due;

create trigger note_due_of_new before insert on registry_entries for each row execute function note_due_of_new();
create trigger note_due before update of due_at on registry_entries for each row execute function note_due();
alter table registry_entries enable always trigger note_due_of_new, enable always trigger note_due;
