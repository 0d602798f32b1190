-- # Tickets of sign-ins at merchants
set local lock_timeout = '400ms';

-- What a person types for one cart that waits at a sign-in. What was typed is sealed, and is in the memory of the vault alone.
create table credential_tickets (
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  intent_id text collate "C" not null,
  cart_id text collate "C" not null,
  -- The exact host that it is typed at.
  host text not null,
  kind text not null check (kind in ('password', 'code')),
  status text not null check (status in ('unsealed', 'open', 'used', 'destroyed')),
  -- Of what was sealed, so that the same bytes are known again.
  sealed_hash bytea check ((sealed_hash is null) = (status = 'unsealed')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (account_id, mode, id),
  foreign key (account_id, mode, intent_id) references purchase_intents
);
create index credential_tickets_intent on credential_tickets (account_id, mode, intent_id);
create index credential_tickets_age on credential_tickets (expires_at);
