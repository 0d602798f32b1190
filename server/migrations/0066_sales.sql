-- Sales of merchants of ours to buyers who have no account here: they come over a protocol, pay with an instrument of their own, and are
-- known by where they come from. The order of such a sale belongs to the merchant's own account.
set local lock_timeout = '400ms';

alter table orders
  -- Where the buyer comes from; null: the buyer has an account here, and a purchase.
  add column buyer jsonb,
  -- The rail's name of the capture, which a refund needs; null where the purchase's journal has it.
  add column capture_reference text;
alter table order_refunds alter column cart_id drop not null, alter column attempt drop not null;

create table sales (
  account_id text collate "C" not null,
  mode mode not null,
  id text collate "C" not null,
  -- The id of its order, which exists once the money is held.
  order_id text collate "C" not null,
  state text not null check (
    state in ('charging', 'ordered', 'capturing', 'releasing', 'undoing', 'captured', 'released', 'declined',
      'unpaid')),
  -- What the order will say.
  terms jsonb not null,
  -- What it is paid with: no number and no secret, only what names it at the rail.
  instrument jsonb not null,
  amount bigint not null check (amount between 1 and 1000000000000),
  currency text not null,
  hold_reference text,
  hold_expires_at timestamptz,
  capture_reference text,
  captured_amount bigint not null default 0,
  -- The call under way at the rail, or the next one. It is committed before it leaves.
  call text check (call in ('charge', 'capture', 'void')),
  call_number integer not null default 1,
  call_amount bigint,
  tries integer not null default 0,
  asked integer not null default 0,
  may_have_left boolean not null default false,
  heard text,
  sent_at timestamptz,
  asked_at timestamptz,
  -- Before this time, a call that a dead worker has journaled may still be about to leave.
  not_before timestamptz,
  put_off jsonb,
  failure jsonb,
  due_at timestamptz,
  is_due boolean,
  lease_until timestamptz,
  lease_token bigint not null default 0,
  step_failures integer not null default 0,
  step_failing_since timestamptz,
  step_error text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, mode, id),
  check (captured_amount <= amount),
  check (state not in ('ordered', 'capturing', 'releasing', 'undoing', 'captured', 'released', 'unpaid') or hold_reference is not null),
  check ((state = 'captured') = (captured_amount > 0)),
  check (state not in ('captured', 'released', 'declined', 'unpaid') or due_at is null)
);
create unique index sales_of_order on sales (account_id, mode, order_id);
create index sales_due_of_tenant on sales (mode, account_id, coalesce(due_at, 'infinity')) where is_due;
create index sales_due_later on sales (mode, coalesce(due_at, 'infinity')) where not is_due;

create trigger note_due_of_new before insert on sales for each row execute function note_due_of_new();
create trigger note_due before update of due_at on sales for each row execute function note_due();
alter table sales enable always trigger note_due_of_new, enable always trigger note_due;
