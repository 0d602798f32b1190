-- What an attempt costs the database. An attempt is written by the statement that changes its delivery, from the row that it changed,
-- and neither is ever deleted alone: looking the delivery up again for every attempt cost as much as writing both.
alter table delivery_attempts drop constraint delivery_attempts_account_id_mode_delivery_id_fkey;
-- An event is never deleted under its deliveries, and nothing else asks by event but for the one answer, which has its own index.
drop index deliveries_of_event;
-- Both change so much that statistics are gathered all the time. A tenth of the usual sample says as much about them, and sorting the
-- whole of it was a sixth of what a delivery cost the database.
alter table deliveries
  alter column account_id set statistics 10,
  alter column mode set statistics 10,
  alter column id set statistics 10,
  alter column destination_id set statistics 10,
  alter column event_id set statistics 10,
  alter column event_account_id set statistics 10,
  alter column event_type set statistics 10,
  alter column aggregate_id set statistics 10,
  alter column sequence set statistics 10,
  alter column status set statistics 10,
  alter column attempt_count set statistics 10,
  alter column series_from set statistics 10,
  alter column first_attempt_at set statistics 10,
  alter column last_attempt_at set statistics 10,
  alter column due_at set statistics 10,
  alter column lease_until set statistics 10,
  alter column lease_token set statistics 10,
  alter column response_received_at set statistics 10,
  alter column response_accepted set statistics 10,
  alter column seq set statistics 10,
  alter column created_at set statistics 10,
  alter column updated_at set statistics 10;
alter table delivery_attempts
  alter column account_id set statistics 10,
  alter column mode set statistics 10,
  alter column delivery_id set statistics 10,
  alter column position set statistics 10,
  alter column at set statistics 10,
  alter column http_status set statistics 10,
  alter column latency_ms set statistics 10,
  alter column error set statistics 10,
  alter column response_excerpt set statistics 10,
  alter column body_digest set statistics 10;
