-- no transaction
-- See 0055. Every row that was there before its trigger is copied, five hundred at a time; the service runs meanwhile.
call copy_narrow('purchase_intents');
call copy_narrow('carts');
call copy_narrow('orders');
analyze purchase_intents_narrow, carts_narrow, orders_narrow;
