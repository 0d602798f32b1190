-- no transaction
-- Few carts ever end like this, and somebody counts them every few seconds: each one is a purchase of which a person has to find out.
create index concurrently if not exists carts_unknown_outcome on carts (account_id, mode, id) where status = 'failed' and not outcome_known;
