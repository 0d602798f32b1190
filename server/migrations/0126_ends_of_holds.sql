-- Money that is held for a cart and may be lost, because its bank lets go of it
set local lock_timeout = '400ms';

-- What was said of it last, with the time of its end; null: nothing had to be said.
alter table carts add column hold jsonb;
