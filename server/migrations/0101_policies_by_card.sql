-- # Policies by card, and standing budgets

set local lock_timeout = '400ms';

-- The cards that have to pay for a purchase that the policy is to apply to; empty: any. The version before sees no such scope: a policy that
-- names cards alone applies to nothing there, and so allows nothing.
alter table policies
  add column scope_payment_method_ids text[] not null default '{}',
  -- Who approved it, where it is a standing budget.
  add column approved_by text check (approved_by in ('cardholder', 'person'));
