-- A payment rail that turns a call away did nothing: the call is put off, never judged. And a hold that the rail would not release is
-- released under another key: the number says which sending of a void or revoke the key is of.
set local lock_timeout = '400ms';

alter table effects
  -- {count, since, until, reason}: how often in a row and since when it was turned away, when it may be sent again, and why it was.
  add column put_off jsonb,
  add column number integer not null default 1;

alter table order_refunds
  add column put_off jsonb;
