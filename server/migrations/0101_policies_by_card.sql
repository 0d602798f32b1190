-- # Policies by card, and standing budgets

set local lock_timeout = '400ms';

-- The cards that have to pay for a purchase that the policy is to apply to; empty: any. The version before sees no such scope: a policy that
-- names cards alone applies to nothing there, and so allows nothing. One that names profiles or agents as well applies there whatever card pays:
-- write such a policy once no process of that version runs any more.
alter table policies
  add column scope_payment_method_ids text[] not null default '{}',
  -- Who approved it, where it is a standing budget.
  add column approved_by text check (approved_by in ('cardholder', 'person'));

alter table payment_methods
  -- The session of a component in which the card was added, while nothing of it was proven elsewhere.
  add column added_in bytea,
  -- Whether the steps of its enrollment were proven in that session.
  add column proven_there boolean not null default false;

-- The session in which the proof was begun.
alter table payment_verifications add column session_hash bytea;

-- Standing budgets, with what their cardholders were shown and how they proved the card. They are kept as long as their policies.
create table standing_budgets (
  account_id text collate "C" not null,
  mode mode not null,
  policy_id text collate "C" not null,
  profile_id text collate "C" not null,
  payment_method_id text collate "C" not null,
  -- The publishable key of the page, and the origin that its browser said.
  key_id text collate "C" not null,
  page text not null,
  session_hash bytea not null,
  proven_by text not null check (proven_by in ('enrollment', 'security_code')),
  amount bigint not null,
  currency text not null,
  "interval" text not null,
  ends_at timestamptz,
  approved_at timestamptz not null,
  primary key (account_id, mode, policy_id),
  foreign key (account_id, mode, policy_id) references policies
);
