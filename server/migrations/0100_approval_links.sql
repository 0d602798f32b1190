-- # Approval links
set local lock_timeout = '400ms';

-- A page of ours on which a person approves one purchase. Found by the hash of its token, which stands in the fragment of its address.
create table approval_links (
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  hash bytea not null,
  purchase_intent_id text collate "C" not null,
  profile_id text collate "C" not null,
  -- The key that made it. With the key it ends.
  key_id text collate "C" not null,
  return_url text,
  created_at timestamptz not null,
  -- When the approval ends for which it was made; a later question about the same purchase has another end, and needs another link.
  expires_at timestamptz not null,
  claimed_at timestamptz,
  -- The hash of what the browser that claimed it shows when it claims it again.
  secret_hash bytea,
  primary key (account_id, mode, id),
  foreign key (account_id, mode, key_id) references api_keys on delete cascade
);
create unique index approval_links_hash on approval_links (hash);
create index approval_links_age on approval_links (expires_at);

alter table element_sessions
  -- Whether the integrator's server vouches for the page, by a client secret.
  add column is_vouched boolean not null default false,
  -- For a session that approves: the digest of the terms that were shown, and the end of the approval for which they were.
  add column terms bytea,
  add column answers_until timestamptz,
  add constraint element_sessions_of_terms check ((terms is null) = (answers_until is null));

-- Who vouches that the card is of the profile's person: the account, a page that had a client secret of the account's server, or nobody.
-- No version before this one has components, so that every card that is there was added by its account.
alter table payment_methods
  add column added_by text not null default 'account' check (added_by in ('account', 'client_secret', 'page'));
