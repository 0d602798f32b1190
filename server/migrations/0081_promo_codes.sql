-- A promotion code that the buyer names with a purchase, and what each shop made of it. Null: the purchase has none.
set local lock_timeout = '400ms';
alter table purchase_intents add column promo_code text;
alter table carts add column promo jsonb;
