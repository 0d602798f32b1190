-- no transaction
-- An order may use several promotions: the best of those without a code, and each whose code the buyer named.
create index concurrently if not exists promotion_redemptions_of_order on promotion_redemptions (account_id, mode, order_id)
  where order_id is not null;
drop index concurrently if exists promotion_redemptions_order;
