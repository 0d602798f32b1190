-- The outcome of a successful attempt takes its row out of the queue itself, and the function of the trigger then does nothing: calling it
-- was a part of what an outcome costs.
set local lock_timeout = '400ms';
drop trigger queue_delivery on deliveries;
create trigger queue_delivery after update of due_at on deliveries for each row
  when (new.due_at is not null or new.status = 'exhausted' or old.lease_until is not null)
  execute function queue_delivery();
alter table deliveries enable always trigger queue_delivery;
