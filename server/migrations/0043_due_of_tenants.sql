-- Work is claimed tenant by tenant in turn, however much one of them has. What was due when it was written is found by its tenant: a claim
-- steps from one tenant that has work to do to the next. What is to be done later is found by its time, and marked once it has come and is
-- not claimed at once. So neither a long backlog of one tenant nor many that wait for hours stand in the way of a claim.
--
-- `is_due` says in which of the two a row stands, and null that nothing is to be done; whether it is due is said by `due_at` alone. The
-- triggers keep it also for a process of the version before, which claims by the indexes that it always had.
set local lock_timeout = '400ms';

-- No condition stands at a trigger: it would be planned anew in every statement, which costs more than the call.
create function note_due() returns trigger language plpgsql as $$
begin
  if new.due_at is distinct from old.due_at then
    new.is_due := new.due_at <= prokura_now();
  end if;
  return new;
end
$$;

create function note_due_of_new() returns trigger language plpgsql as $$
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
    execute format('create trigger note_due_of_new before insert on %I for each row execute function note_due_of_new()', queue);
    execute format('create trigger note_due before update of due_at on %I for each row execute function note_due()', queue);
    execute format('alter table %I enable always trigger note_due_of_new, enable always trigger note_due', queue);
  end loop;
end
$$;
