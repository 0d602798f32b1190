-- # A hold names its rail
set local lock_timeout = '400ms';

-- The name of the rail that holds the money, or was asked to: every later call on it goes there, whichever rail new money is held at by then.
-- Null in rows from before, and in calls to merchants: then it is the rail of the mode.
alter table effects add column rail text collate "C";
alter table authorizations add column rail text collate "C";
alter table sales add column rail text collate "C";
-- Of an order whose capture no journal of a purchase names: the rail that made `capture_reference`.
alter table orders add column capture_rail text collate "C";
alter table order_refunds add column rail text collate "C";
