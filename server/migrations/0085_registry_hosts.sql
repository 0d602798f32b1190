-- Hosts on which a shop has pages of its own besides its domain, such as its checkout, as the operator names them. A browser may go there
-- for this shop, and for no other.
set local lock_timeout = '400ms';
alter table registry_entries add column more_hosts text[] not null default '{}';
