-- Pictures of the pages that carts were bought on: sealed, and kept for some days.
create table purchase_evidence (
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  intent_id text collate "C" not null,
  cart_id text collate "C" not null,
  -- The profile that was bought for: its pictures go when it is archived.
  profile_id text collate "C" not null,
  attempt integer not null check (attempt > 0),
  stage text not null check (stage in ('product', 'cart', 'address', 'payment', 'review', 'after_submit', 'confirmation')),
  taken_at timestamptz not null,
  url_host text not null,
  bytes integer not null check (bytes between 0 and 1048576),
  sha256 bytea not null,
  total_text text,
  hosts text[] not null,
  -- Null: its time is over.
  sealed bytea,
  created_at timestamptz not null,
  primary key (account_id, mode, id),
  foreign key (account_id, mode, intent_id) references purchase_intents
);
-- Sealed bytes do not get smaller; trying to make them so costs more than writing them.
alter table purchase_evidence alter column sealed set storage external;
create index purchase_evidence_of_intent on purchase_evidence (account_id, mode, intent_id, created_at, id);
create index purchase_evidence_of_profile on purchase_evidence (account_id, mode, profile_id) where sealed is not null;
create index purchase_evidence_age on purchase_evidence (created_at) where sealed is not null;

-- Keys carry the scopes that their preset had when they were issued.
update api_keys set scopes = scopes || array['evidence:read'] where preset = 'full' and kind = 'secret';
