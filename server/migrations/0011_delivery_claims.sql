-- Claiming a delivery changes its lease alone. With no lease in any index, and room for another version of the row on its page, that
-- touches no index. How many deliveries of a destination are under way is what each worker knows of its own.
drop index deliveries_leased;
alter table deliveries set (fillfactor = 60);
