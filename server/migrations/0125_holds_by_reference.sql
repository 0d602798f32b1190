-- no transaction
-- A bank that disputes a payment names it as the rail does. Test mode's rail has no banks.
create index concurrently if not exists authorizations_by_reference on authorizations (reference) where mode = 'live' and kind = 'authorization';
create index concurrently if not exists fundings_by_reference on fundings (reference) where mode = 'live';
create index concurrently if not exists orders_by_capture on orders (capture_reference) where mode = 'live' and capture_reference is not null;
