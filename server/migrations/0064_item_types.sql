-- Merchants also sell subscriptions and APIs. Every row there is satisfies the wider list, as it satisfied the narrower one; so nothing is
-- read while writers wait.
set local lock_timeout = '400ms';
alter table catalog_items
  drop constraint catalog_items_item_type_check,
  add constraint catalog_items_item_type_check
    check (item_type in ('product', 'digital', 'service', 'booking', 'subscription', 'api')) not valid;
