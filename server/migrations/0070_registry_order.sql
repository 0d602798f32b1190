-- no transaction
-- The registry in its order: a page reads its own rows, however many merchants and sites there are.
create index concurrently if not exists registry_entries_listed on registry_entries
  (account_id, mode, rank, lower(coalesce(name, site_name, host)), id) where rank < 2 and channel is distinct from 'browser';
create index concurrently if not exists merchants_listed on merchants
  (mode, lower(coalesce(name, slug, domain, account_id)), account_id) where slug is not null and domain_verified_at is not null;
create index concurrently if not exists merchants_listed_unverified on merchants
  (mode, lower(coalesce(name, slug, domain, account_id)), account_id) where slug is not null and domain_verified_at is null;
-- A count of merchants looks for the backend of each.
create index concurrently if not exists webhook_destinations_of_orders on webhook_destinations (account_id, mode)
  where audience = 'merchant' and status = 'enabled' and confirmed_at is not null and event_types @> array['order.requested', 'order.confirmed', 'order.rejected'];
