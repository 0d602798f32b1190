-- no transaction
-- Whether somebody has bought from a merchant before, which is asked while an offer is made.
create index concurrently if not exists orders_of_customer on orders (merchant_account_id, mode, lower(customer ->> 'email'));
