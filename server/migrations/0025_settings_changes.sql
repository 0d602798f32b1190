-- Evidence about a destination ends with any change of what it was found out under, even one that is taken back. So changes are counted.
set local lock_timeout = '400ms';

alter table webhook_destinations
  add column endpoint_changes integer not null default 0,
  add column event_types_changes integer not null default 0,
  add column responder_changes integer not null default 0;

create or replace view destinations as
  select account_id, mode, id, name, responds_to_quotes, event_types, endpoint_url, status, disabled_reason, disabled_at, archived_at,
    failing_since, metadata, seq, created_at, updated_at, endpoint_changes, event_types_changes, responder_changes
  from webhook_destinations where audience = 'merchant';
