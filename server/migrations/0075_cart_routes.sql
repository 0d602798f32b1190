-- How a cart of a merchant elsewhere can be bought, which of these ways was chosen, and which ones did not work. Null: nothing was to choose.
set local lock_timeout = '400ms';
alter table carts add column route jsonb;
-- What a merchant has authorized against a credential, from the time at which that is known until it is captured or released.
alter table authorizations add column claimed_amount bigint;
