-- no transaction
-- See 0057.
alter table carts validate constraint carts_account_id_mode_intent_id_fkey;
alter table quotes validate constraint quotes_account_id_mode_purchase_intent_id_fkey;
alter table order_refunds validate constraint order_refunds_account_id_mode_order_id_fkey;
alter table integration_checks validate constraint integration_checks_account_id_mode_order_id_fkey;
