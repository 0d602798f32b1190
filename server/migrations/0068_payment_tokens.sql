-- A purchase may be paid by a token that its integrator hands to a merchant of ours: the token takes the reserved cap, and the merchant
-- charges it. How far it is, the cart and the hold of the purchase say.
set local lock_timeout = '400ms';

-- Such a purchase begins with its token, and not with its approval. A process of the version before makes none.
alter table purchase_intents add column pays_by_token boolean not null default false;

-- When it was first seen that the merchant has authorized against the credential; it has then neither captured nor released.
alter table authorizations add column claimed_at timestamptz;

create table payment_tokens (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  id text collate "C" not null,
  intent_id text collate "C" not null,
  cart_id text collate "C" not null,
  merchant_account_id text collate "C" not null,
  merchant_slug text,
  merchant_domain text,
  amount bigint not null check (amount between 1 and 1000000000000),
  currency text not null,
  -- What the token pays for at the merchant: a checkout of UCP, or a challenge of MPP.
  binding_kind text not null check (binding_kind in ('checkout', 'challenge')),
  binding_id text not null,
  -- A keyed hash: the token itself is stored nowhere.
  token_hash bytea not null unique,
  prefix text not null,
  expires_at timestamptz not null,
  -- The order of the merchant that uses it: one, for good.
  order_id text,
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, mode, id),
  -- It takes the whole purchase, so there is never a second one.
  constraint payment_tokens_one_of_intent unique (account_id, mode, intent_id),
  foreign key (account_id, mode, intent_id) references purchase_intents
);
