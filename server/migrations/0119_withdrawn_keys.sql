-- Keys of the service that others have got hold of
set local lock_timeout = '400ms';

-- Null: what the key has signed can still be believed, also once nothing is signed by it any more.
alter table signing_keys add column withdrawn_at timestamptz;
