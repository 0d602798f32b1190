-- Work is claimed tenant by tenant in turn, however much one of them has. What was due when it was written is found by its tenant: a claim
-- steps from one tenant that has work to do to the next. What is to be done later is found by its time, and marked once it has come and is
-- not claimed at once. So neither a long backlog of one tenant nor many that wait for hours stand in the way of a claim.
--
-- `is_due` says in which of the two a row stands, and null that nothing is to be done; whether it is due is said by `due_at` alone. The
-- triggers keep it also for a process of the version before, which claims by the indexes that it always had.
set local lock_timeout = '400ms';

create function note_due() returns trigger language plpgsql as $$
begin
  new.is_due := new.due_at <= prokura_now();
  return new;
end
$$;

do $$
declare
  queue text;
begin
  foreach queue in array array['purchase_intents', 'carts', 'orders', 'order_refunds', 'quotes', 'catalog_imports', 'deliveries',
    'promotions', 'promotion_redemptions', 'onboarding_links', 'integration_checks', 'domain_verifications']
  loop
    execute format('alter table %I add column is_due boolean', queue);
    -- Most of what is written is to be done at once, and then the trigger is not called.
    execute format('alter table %I alter column is_due set default true', queue);
    execute format('create trigger note_due_later before insert on %I for each row
      when (new.due_at is null or new.due_at > prokura_now()) execute function note_due()', queue);
    execute format('create trigger note_due before update of due_at on %I for each row
      when (new.due_at is distinct from old.due_at) execute function note_due()', queue);
    execute format('alter table %I enable always trigger note_due_later, enable always trigger note_due', queue);
  end loop;
end
$$;
