-- A publishable key calls no operation, and what a component that it embeds may do is not asked for by scopes: what it could not use, it
-- no longer shows.
set local lock_timeout = '400ms';

update api_keys set scopes = '{}' where kind = 'publishable' and scopes <> '{}';
