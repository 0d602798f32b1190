-- What an attempt costs the database. An attempt is written by the statement that changes its delivery, from the row that it changed,
-- and neither is ever deleted alone: looking the delivery up again for every attempt cost as much as writing both.
alter table delivery_attempts drop constraint delivery_attempts_account_id_mode_delivery_id_fkey;
-- An event is never deleted under its deliveries, and nothing else asks by event but for the one answer, which has its own index.
drop index deliveries_of_event;
