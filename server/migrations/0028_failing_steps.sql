-- A step that fails is counted on the row that it fails on, and every worker says what it serves. The version before writes none of
-- it: what it tries is not counted, and a count that it ends by a success stands until this version looks at the row again.
set local lock_timeout = '400ms';

alter table purchase_intents add column step_failures integer not null default 0, add column step_failing_since timestamptz, add column step_error text;
alter table carts add column step_failures integer not null default 0, add column step_failing_since timestamptz, add column step_error text;
alter table orders add column step_failures integer not null default 0, add column step_failing_since timestamptz, add column step_error text;
alter table order_refunds add column step_failures integer not null default 0, add column step_failing_since timestamptz, add column step_error text;
alter table quotes add column step_failures integer not null default 0, add column step_failing_since timestamptz, add column step_error text;
alter table catalog_imports add column step_failures integer not null default 0, add column step_failing_since timestamptz, add column step_error text;
alter table deliveries add column step_failures integer not null default 0, add column step_failing_since timestamptz, add column step_error text;
alter table promotions add column step_failures integer not null default 0, add column step_failing_since timestamptz, add column step_error text;
alter table promotion_redemptions add column step_failures integer not null default 0, add column step_failing_since timestamptz, add column step_error text;
alter table onboarding_links add column step_failures integer not null default 0, add column step_failing_since timestamptz, add column step_error text;
alter table integration_checks add column step_failures integer not null default 0, add column step_failing_since timestamptz, add column step_error text;
alter table domain_verifications add column step_failures integer not null default 0, add column step_failing_since timestamptz, add column step_error text;

-- Workers that live, by the world's clock. `serves` holds the kinds of work that one does, those of purchases with the mode and the
-- way of buying: `quotes`, `refunds test`, `carts test native`.
create table workers (
  id text collate "C" primary key,
  serves text[] not null,
  started_at timestamptz not null,
  seen_at timestamptz not null
);
