-- Links with which a person fills in a profile on a page of ours. The token is in the link alone; here stands its hash.

create table onboarding_links (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  id text collate "C" not null,
  use_case text not null check (use_case in ('account_onboarding', 'account_update')),
  -- Of an account_onboarding it is reserved: there is no such profile before the form is sent.
  profile_id text collate "C" not null,
  status text not null check (status in ('pending', 'opened', 'completed', 'expired', 'revoked')),
  token_hash bytea not null,
  -- What the token was exchanged for, once.
  session_hash bytea,
  expires_at timestamptz not null,
  session_expires_at timestamptz,
  metadata jsonb not null,
  due_at timestamptz,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  opened_at timestamptz,
  completed_at timestamptz,
  revoked_at timestamptz,
  primary key (account_id, mode, id),
  check ((status in ('pending', 'opened')) = (due_at is not null)),
  check ((session_hash is null) = (session_expires_at is null)),
  check ((session_hash is null) = (opened_at is null)),
  check (status not in ('opened', 'completed') or session_hash is not null),
  check ((status = 'completed') = (completed_at is not null)),
  check ((status = 'revoked') = (revoked_at is not null))
);
-- The doors: from a token, and from the session it was exchanged for, to their tenant.
create unique index onboarding_links_token on onboarding_links (token_hash);
create unique index onboarding_links_session on onboarding_links (session_hash) where session_hash is not null;
create index onboarding_links_due on onboarding_links (due_at) where due_at is not null;
create index onboarding_links_of_profile on onboarding_links (account_id, mode, profile_id, id);
