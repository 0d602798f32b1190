-- # Cards that people enter
set local lock_timeout = '400ms';

-- A number that a rail has issued is one record, however often it is told. A card that a person enters is a record of its own each time, and
-- its id is its token: who enters a card learns nothing of who has entered it before, and what one profile deletes is not another's.
alter table card_vault.records
  add column kind text not null default 'issued' check (kind in ('issued', 'entered')),
  -- In test mode, what the number stands for.
  add column test_card text,
  alter column fingerprint drop not null,
  add constraint records_known_again check ((kind = 'issued') = (fingerprint is not null));
-- For a while nobody has it, and `keep_until` says for how long; once somebody has, it is kept until nobody does: 'infinity'.
create index records_entered on card_vault.records (keep_until) where kind = 'entered';

-- How many cards were entered in a time, as `rate_counters` counts for the API, whose tables the vault does not read.
create table card_vault.rate_counters (
  name text collate "C" not null,
  -- An account and mode, and a profile, an address or a key in it.
  subject text collate "C" not null,
  taken timestamptz[] not null,
  expires_at timestamptz not null,
  primary key (name, subject)
) with (autovacuum_vacuum_scale_factor = 0.05, autovacuum_vacuum_threshold = 500);
create index rate_counters_expired on card_vault.rate_counters (expires_at);
