-- A credential may be a card that is typed into a page of its merchant: its number is in the vault, under this name.
set local lock_timeout = '400ms';
alter table authorizations add column vault_record text;
