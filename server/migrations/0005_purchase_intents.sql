-- Purchase intents and their carts. The intent is the root: whoever changes a cart holds the intent first. Both are also queues:
-- `due_at` says when a worker looks at the row, the lease says who looks.

create table purchase_intents (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  id text collate "C" not null,
  profile_id text collate "C" not null,
  api_key_id text collate "C",
  payment_method_id text collate "C",
  policy_id text collate "C",
  status text not null check (status in ('awaiting_approval', 'queued', 'approved', 'awaiting_merchant_auth',
    'merchant_auth_failed', 'succeeded', 'failed', 'cancelled', 'declined')),
  currency text not null,
  expected_amount bigint not null check (expected_amount between 0 and 1000000000000),
  max_allowed_amount bigint not null check (max_allowed_amount between 0 and 1000000000000),
  actual_amount bigint not null default 0 check (actual_amount >= 0),
  -- Of `actual_amount`, what policy reservations were settled with; the rest is still held.
  settled_amount bigint not null default 0 check (settled_amount >= 0),
  caller_max_amount bigint check (caller_max_amount between 0 and 1000000000000),
  fee_allowance bigint not null check (fee_allowance >= 0),
  tax_allowance bigint not null check (tax_allowance >= 0),
  tolerance_basis_points integer not null check (tolerance_basis_points >= 0),
  on_price_exceed text not null check (on_price_exceed in ('reapprove', 'fail')),
  items jsonb not null,
  fulfillment jsonb not null,
  policy_decision jsonb not null,
  policy_result text not null check (policy_result in ('allow', 'require_approval', 'deny')),
  approval_required boolean not null,
  -- The key that approved, or 'policy' where a policy allowed the purchase unattended.
  approved_by text,
  approved_at timestamptz,
  approval_expires_at timestamptz,
  payment_verified_at timestamptz,
  next_action jsonb,
  failure jsonb,
  partial boolean not null default false,
  cancel_reason text,
  offer_summary jsonb,
  -- The price that a person is asked about while `next_action` is reapprove_price.
  reapproval jsonb,
  reference_id text,
  metadata jsonb not null,
  idempotency_key text,
  actor_type text not null,
  actor_id text,
  -- Registrable domains of the items, each once.
  merchants text[] not null,
  -- Lower-case ids, references and merchants; the profile's name is searched in its own table.
  search text not null,
  seq integer not null,
  due_at timestamptz,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  started_at timestamptz,
  completed_at timestamptz,
  primary key (account_id, mode, id),
  foreign key (account_id, mode, profile_id) references profiles,
  foreign key (account_id, mode, payment_method_id) references payment_methods,
  foreign key (account_id, mode, policy_id) references policies,
  -- The charged amount can never exceed the cap, whatever the code above believes.
  constraint purchase_intents_actual_within_cap check (actual_amount <= max_allowed_amount)
);
-- A key never buys twice, also after its reply has been forgotten.
create unique index purchase_intents_lifelong_key on purchase_intents (account_id, mode, idempotency_key)
  where idempotency_key is not null;
create index purchase_intents_by_profile on purchase_intents (account_id, mode, profile_id, id);
create index purchase_intents_by_status on purchase_intents (account_id, mode, status, id);
create index purchase_intents_due on purchase_intents (due_at) where due_at is not null;

create table carts (
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  intent_id text collate "C" not null,
  position smallint not null,
  merchant_name text not null,
  merchant_domain text not null,
  -- Set for native merchants.
  merchant_account_id text collate "C",
  channel text not null check (channel in ('native', 'ucp', 'mpp', 'browser', 'simulated')),
  items jsonb not null,
  status text not null check (
    status in ('created', 'in_progress', 'awaiting_merchant_auth', 'succeeded', 'failed', 'cancelled')),
  -- Where execution stands inside the status; execution's own.
  stage text,
  attempt_number smallint not null default 1 check (attempt_number between 1 and max_attempts),
  attempt_id text collate "C" not null,
  max_attempts smallint not null default 3,
  currency text not null,
  expected_amount bigint not null check (expected_amount between 0 and 1000000000000),
  max_allowed_amount bigint not null check (max_allowed_amount between 0 and 1000000000000),
  actual_amount bigint not null default 0 check (actual_amount >= 0),
  fee_allowance bigint not null check (fee_allowance >= 0),
  tax_allowance bigint not null check (tax_allowance >= 0),
  tolerance_basis_points integer not null check (tolerance_basis_points >= 0),
  offer jsonb,
  -- Our order, where we hold one; `order_id` is the merchant's reference.
  order_row_id text collate "C",
  order_id text,
  transaction_id text,
  failure jsonb,
  outcome_known boolean not null default true,
  past_no_return boolean not null default false,
  attempts_data jsonb not null default '[]',
  due_at timestamptz,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  started_at timestamptz,
  completed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, mode, id),
  unique (account_id, mode, intent_id, position),
  foreign key (account_id, mode, intent_id) references purchase_intents,
  constraint carts_actual_within_cap check (actual_amount <= max_allowed_amount)
);
create index carts_due on carts (due_at) where due_at is not null;
