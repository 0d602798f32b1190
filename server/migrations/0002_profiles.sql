-- The end customers of record. Addresses belong to the profile and are read with it, hence in its row.

create table profiles (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  id text collate "C" not null,
  profile_type text not null,
  first_name text not null,
  last_name text not null,
  email text not null,
  phone text,
  -- Sealed; only its presence is ever shown.
  dob_sealed bytea,
  country text not null,
  status text not null check (status in ('pending', 'active', 'restricted', 'suspended', 'archived')),
  issuing_state text not null check (
    issuing_state in ('not_requested', 'pending_requirements', 'in_review', 'enabled', 'rejected', 'disabled')),
  issuing_requirements text[] not null default '{}',
  addresses jsonb not null default '[]',
  metadata jsonb not null default '{}',
  search text generated always as (
    lower(first_name || ' ' || last_name || ' ' || email || ' ' || coalesce(phone, '') || ' ' || id)) stored,
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  archived_at timestamptz,
  primary key (account_id, mode, id)
);
create index profiles_search on profiles using gin (search gin_trgm_ops);
