-- Destinations with any 2xx so far have confirmed. Apart from the file before, which holds the table: this one takes as long as there
-- are deliveries, and holds the rows that it changes alone. The others get their test with their next event.
set local lock_timeout = '400ms';

update webhook_destinations d set confirmed_at = coalesce(
  (select min(v.last_attempt_at) from (
     select last_attempt_at from deliveries
     where account_id = d.account_id and mode = d.mode and destination_id = d.id and status = 'succeeded' limit 1
   ) v), d.updated_at)
where d.confirmed_at is null and d.status <> 'archived' and (
  exists (
    select from deliveries v
    where v.account_id = d.account_id and v.mode = d.mode and v.destination_id = d.id and v.status = 'succeeded'
  ) or exists (
    select from deliveries v
    join delivery_attempts a on a.account_id = v.account_id and a.mode = v.mode and a.delivery_id = v.id
    where v.account_id = d.account_id and v.mode = d.mode and v.destination_id = d.id and a.http_status between 200 and 299
  )
);
