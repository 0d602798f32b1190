-- # People
set local lock_timeout = '400ms';

-- Somebody who signs in. People are of the installation: one person may be a member of several accounts.
create table people (
  id text collate "C" primary key,
  -- In lower case.
  email text collate "C" not null unique,
  name text not null,
  locale text not null,
  timezone text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- What a person is in an account, in both of its modes.
create table memberships (
  account_id text collate "C" not null,
  person_id text collate "C" not null references people,
  role text not null check (role in ('owner', 'admin', 'approver', 'support', 'developer', 'merchant', 'viewer')),
  status text not null check (status in ('invited', 'active', 'suspended')),
  -- Who has invited them: a person, or an operator.
  invited_by text not null,
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, person_id)
);
create index memberships_of_person on memberships (person_id);

-- Links by which a person signs in once: an invitation, one that an operator has printed, one that was sent by e-mail.
create table sign_in_links (
  hash bytea primary key,
  person_id text collate "C" not null references people,
  account_id text collate "C" not null,
  kind text not null check (kind in ('invitation', 'printed_link', 'email_link')),
  made_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index sign_in_links_age on sign_in_links (expires_at);
create index sign_in_links_of_person on sign_in_links (person_id);

create table person_passkeys (
  id text collate "C" primary key,
  person_id text collate "C" not null references people,
  name text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  created_at timestamptz not null,
  used_at timestamptz
);
create index person_passkeys_of_person on person_passkeys (person_id);

create table person_sessions (
  hash bytea primary key,
  -- By which its person names it.
  id text collate "C" not null unique,
  person_id text collate "C" not null references people,
  signed_in_by text not null check (signed_in_by in ('passkey', 'invitation', 'printed_link', 'email_link', 'provider')),
  -- Of a link: the account that made it, and the only one that the session opens.
  account_id text collate "C",
  -- Whether it has shown more than a link.
  is_proven boolean not null,
  -- What the browser said that it is.
  browser text not null,
  created_at timestamptz not null,
  seen_at timestamptz not null,
  ends_at timestamptz not null,
  revoked_at timestamptz
);
create index person_sessions_of_person on person_sessions (person_id);
create index person_sessions_age on person_sessions (ends_at);

-- What a browser is asked to sign: to sign in (nobody yet), to add a passkey (a session), to confirm a call (a session and the call).
create table passkey_challenges (
  id text collate "C" primary key,
  purpose text not null check (purpose in ('sign_in', 'passkey', 'step_up')),
  challenge text not null,
  session_hash bytea,
  -- Of a step-up: the digest of the call and of the terms that were shown.
  digest bytea,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  check ((purpose = 'sign_in') = (session_hash is null)),
  check ((purpose = 'step_up') = (digest is not null))
);
create index passkey_challenges_age on passkey_challenges (expires_at);
