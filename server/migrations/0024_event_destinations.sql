-- Webhooks of buyers, by the machinery of merchants' webhooks: one table of destinations, each for one audience.
set local lock_timeout = '400ms';

alter table destinations rename to webhook_destinations;
alter table webhook_destinations
  add column audience text collate "C" not null default 'merchant' check (audience in ('merchant', 'buyer')),
  add constraint buyers_answer_nothing check (audience = 'merchant' or not responds_to_quotes);

-- The merchants' ones, under the name that the version before this one knows. It would send a buyer what a merchant is told; so it
-- neither finds a buyer's destination, nor matches it with events, nor claims deliveries to it. Whoever asks for merchants' alone may use it.
create view destinations as
  select account_id, mode, id, name, responds_to_quotes, event_types, endpoint_url, status, disabled_reason, disabled_at, archived_at,
    failing_since, metadata, seq, created_at, updated_at
  from webhook_destinations where audience = 'merchant';

-- Tenants of whom somebody is told their own events. The relay asks for each event whether its tenant stands here, and does nothing
-- more for those who do not; nobody who stands here ever leaves.
create table event_listeners (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  since timestamptz not null,
  primary key (account_id, mode)
);

-- Keys carry the scopes that their preset had when they were issued.
update api_keys set scopes = scopes || array['event_destinations:read', 'event_destinations:write']
where preset = 'full' and kind = 'secret';
update api_keys set scopes = scopes || array['event_destinations:read'] where preset = 'read_only' and kind = 'secret';
