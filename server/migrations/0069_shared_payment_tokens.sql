-- Sales that are paid with a token that somebody else's payment network has issued to our merchant. Who has the token can spend it, so it is
-- sealed, and it is kept for no longer than the money takes to be held.
set local lock_timeout = '400ms';

alter table sales
  -- Null: the instrument needs no secret, or the charge has ended.
  add column sealed_token bytea,
  add constraint sales_forget_tokens check (sealed_token is null or state = 'charging') not valid;
alter table sales validate constraint sales_forget_tokens;
