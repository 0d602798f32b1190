-- What was kept of a card beside its payment method is in the vault, for cards that people enter, and nowhere for test cards. The version
-- before still writes here, and reads what it finds: it finds nothing, and nothing is kept.
set local lock_timeout = '400ms';
drop table vault.cards;
create view vault.cards as
  select ''::text as account_id, 'test'::mode as mode, ''::text as token, ''::bytea as sealed, now() as created_at where false;
create function keep_no_card() returns trigger language plpgsql as $$
begin
  return coalesce(new, old);
end
$$;
create trigger keep_no_card instead of insert or delete on vault.cards for each row execute function keep_no_card();
