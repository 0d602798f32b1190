-- The keys by which the service signs what it sends to other services: one after the other, in generations. The version before signs
-- nothing so, and reads and writes nothing here.
create table signing_keys (
  -- One generation has one key: of two processes that make the next one at once, one wins.
  generation integer primary key check (generation > 0),
  -- The RFC 7638 thumbprint of the public key.
  kid text collate "C" not null unique,
  public_jwk jsonb not null,
  -- The private key; null once it is removed.
  sealed bytea,
  created_at timestamptz not null,
  -- Published at once, and used from here on: by then nobody holds a copy of our profile without it.
  signs_from timestamptz not null,
  removed_at timestamptz,
  check ((sealed is null) = (removed_at is not null))
);
