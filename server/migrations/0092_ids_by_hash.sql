-- Every id of a part is a hash, and no row says so any more: this is what processes of the version before read in it.
set local lock_timeout = '400ms';
alter table purchase_intents alter column id_scheme set default 2;
alter table carts alter column id_scheme set default 2;
alter table orders alter column id_scheme set default 2;
