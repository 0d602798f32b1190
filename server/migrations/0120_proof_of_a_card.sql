-- What proved that a card is its holder's
set local lock_timeout = '400ms';

-- {kind, payment_method_id} of the proof at payment_verified_at; null where the card asked for nothing. The proofs themselves are swept, and a bank asks months later. It is the last column, so that updates of others do not log it again.
alter table purchase_intents add column payment_proof jsonb;
