-- What shows that a merchant's integration works, and that its domain is its own.

create domain integration_check_kind as text check (value in ('quote', 'order'));
create domain integration_check_status as text check (value in ('queued', 'running', 'passed', 'failed'));

create table integration_checks (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  id text collate "C" not null,
  kind integration_check_kind not null,
  destination_id text collate "C" not null,
  -- An order that the merchant received; whose buyer's it is does not matter here.
  order_id text collate "C",
  -- What the responder is asked, and the quote that it was asked with.
  quote_request jsonb,
  quote_id text collate "C",
  status integration_check_status not null,
  steps jsonb not null,
  evidence jsonb,
  failure jsonb,
  -- The destination's settings that the result speaks of. Other settings later make it stale, which is found out by reading.
  settings jsonb,
  -- Until then it waits for what is still to come.
  deadline_at timestamptz not null,
  finished_at timestamptz,
  due_at timestamptz,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  seq integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, mode, id),
  foreign key (account_id, mode, destination_id) references destinations,
  foreign key (account_id, mode, order_id) references orders (merchant_account_id, mode, id),
  check ((kind = 'order') = (order_id is not null)),
  check ((kind = 'quote') = (quote_request is not null)),
  check ((status in ('queued', 'running')) = (due_at is not null)),
  check ((status in ('passed', 'failed')) = (finished_at is not null and settings is not null and evidence is not null)),
  check ((status = 'failed') = (failure is not null))
);
-- One at a time, so that an answer belongs to the check that asked for it.
create unique index integration_checks_open on integration_checks (account_id, mode, destination_id, kind) where due_at is not null;
create index integration_checks_latest on integration_checks (account_id, mode, kind, status, id);
create index integration_checks_due on integration_checks (due_at) where due_at is not null;

create domain domain_verification_status as text check (value in ('pending', 'passed', 'failed'));

-- The last look at the proof that a merchant published, at most one row per merchant. It speaks of the merchant as long as domain and
-- token are still the merchant's.
create table domain_verifications (
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  domain text not null,
  token text not null,
  status domain_verification_status not null,
  detail text,
  checked_at timestamptz,
  -- The proof of a verified domain has been missing since then.
  failing_since timestamptz,
  -- Since then the domain no longer counts as verified.
  lapsed_at timestamptz,
  -- How often somebody asked, and how often that was when it was last looked at.
  asked integer not null,
  answered integer not null default 0,
  due_at timestamptz,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, mode, id),
  foreign key (account_id, mode) references merchants (account_id, mode)
);
create unique index domain_verifications_one on domain_verifications (account_id, mode);
create index domain_verifications_due on domain_verifications (due_at) where due_at is not null;
