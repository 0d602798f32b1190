-- no transaction
-- The kinds of items that a merchant sells: one look for each kind, however much it sells.
create index concurrently if not exists listings_types on listings (account_id, mode, item_type);
