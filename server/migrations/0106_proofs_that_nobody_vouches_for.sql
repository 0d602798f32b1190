-- # Proofs that nobody vouches for
set local lock_timeout = '400ms';

alter table payment_verifications
  -- Whether the integrator's server vouches for the page in which it was begun. Otherwise wrong proofs leave the card as it is.
  add column is_vouched boolean not null default false,
  add column wrong_tries integer not null default 0;
create index payment_verifications_card on payment_verifications (account_id, mode, payment_method_id);
