-- How the ids of what a row brings forth follow from its own: those of an intent's carts, of a cart's order, of an order's refunds.
-- 1: the number of the part is mixed into the last ten bits, so that parts of parts can meet. 2: a hash of the whole path. The version
-- before this one writes and derives by 1, which is why that is the default.
set local lock_timeout = '400ms';

alter table purchase_intents add column id_scheme smallint not null default 1;
alter table carts add column id_scheme smallint not null default 1;
alter table orders add column id_scheme smallint not null default 1;
