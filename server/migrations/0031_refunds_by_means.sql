-- no transaction
-- A refund is claimed by who has the rail of its mode.
create index concurrently if not exists order_refunds_due_by_means on order_refunds (mode, due_at) where due_at is not null;
