-- Paid APIs that merchants run at domains of their own and publish here, so that payers find them.
create table mpp_apis (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  id text collate "C" not null,
  name text not null,
  description text not null,
  method text not null check (method in ('GET', 'POST', 'PUT', 'PATCH', 'DELETE')),
  url text not null,
  -- Of the URL, in lower case; null: it is on the machine of the service, which test mode may allow.
  host text collate "C",
  request_schema json,
  offers jsonb not null,
  categories text[] not null,
  status text not null check (status in ('published', 'archived')),
  metadata jsonb not null,
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (account_id, mode, id),
  check (host is not null or mode = 'test'),
  check ((status = 'archived') = (archived_at is not null))
);
create index mpp_apis_published on mpp_apis (mode, account_id, id) where status = 'published';
create index mpp_apis_newest on mpp_apis (mode, id) where status = 'published';
