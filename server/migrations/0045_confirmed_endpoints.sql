-- An endpoint confirms itself: until it has answered a test with a 2xx it is sent nothing else.
--
-- A process of the version before knows nothing of it. The destinations that it creates are unconfirmed and have no test: this version
-- sends them one with their next event. What it claims itself it sends as before, and what waits here is due at the end of the
-- year 9999, so that it leaves that alone and shows it as what comes later.
set local lock_timeout = '400ms';

alter table webhook_destinations add column confirmed_at timestamptz;

create or replace view destinations as
  select account_id, mode, id, name, responds_to_quotes, event_types, endpoint_url, status, disabled_reason, disabled_at, archived_at,
    failing_since, metadata, seq, created_at, updated_at, endpoint_changes, event_types_changes, responder_changes, confirmed_at
  from webhook_destinations where audience = 'merchant';

-- What was tried at a host lately, over all tenants: by delivery and lease, when, as seconds. A row is deleted when an hour has passed.
create table destination_hosts (
  host text collate "C" primary key,
  tests jsonb not null,
  last_test_at timestamptz not null
);
create index destination_hosts_last_test on destination_hosts (last_test_at);
