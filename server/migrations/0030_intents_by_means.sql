-- no transaction
-- Beginning a purchase takes the means of its mode; ending an approval that came too late takes none.
create index concurrently if not exists purchase_intents_due_by_means on purchase_intents (mode, (status = 'awaiting_approval'), due_at) where due_at is not null;
