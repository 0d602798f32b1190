-- # The question of a bank
set local lock_timeout = '400ms';

-- How the bank of a card knows what it was asked to ask the holder; null where it was not asked.
alter table payment_verifications add column bank_reference text;
