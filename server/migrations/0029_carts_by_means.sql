-- no transaction
-- A worker claims what it has the means for, and steps over nothing that it has not. The index by time alone stays for the version before.
create index concurrently if not exists carts_due_by_means on carts (mode, channel, due_at) where due_at is not null;
