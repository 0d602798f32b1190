-- See 0055. The new tables take the names of the old ones, with all keys, rules and triggers. Statements that were planned before are planned
-- again. Keys count from now on, and 0058 looks through the rows that were there.
set local lock_timeout = '400ms';
lock table purchase_intents, carts, orders in access exclusive mode;

create temp table remade on commit drop as
  select 1 as step, conrelid::regclass::text as of, conname as name, null::text as enabling,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as statement
  from pg_constraint where contype = 'c' and not convalidated and conrelid in (select of::regclass from changing_columns)
  union all
  select 2, conrelid::regclass::text, conname, null,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname,
      replace(pg_get_constraintdef(oid), ' NOT VALID', '') || ' not valid')
  from pg_constraint where contype = 'f' and (select array_agg(of::regclass) from changing_columns) && array[conrelid::regclass, confrelid::regclass]
  union all
  select 3, tgrelid::regclass::text, tgname, case tgenabled when 'A' then 'enable always' when 'R' then 'enable replica' when 'D' then 'disable' end,
    pg_get_triggerdef(oid)
  from pg_trigger where not tgisinternal and tgname <> 'write_narrow' and tgrelid in (select of::regclass from changing_columns);

do $$
declare
  one record;
begin
  for one in select * from remade where step = 2 loop
    execute format('alter table %s drop constraint %I', one.of, one.name);
  end loop;
  for one in select of from changing_columns loop
    execute format('drop table %I', one.of);
    execute format('drop function write_%s_narrow()', one.of);
    execute format('alter table %I rename to %I', one.of || '_narrow', one.of);
  end loop;
  for one in select i.indexrelid::regclass::text as name from pg_index i where i.indrelid in (select of::regclass from changing_columns) loop
    execute format('alter index %I rename to %I', one.name, regexp_replace(one.name, '_narrow$', ''));
  end loop;
  for one in select * from remade order by step loop
    execute one.statement;
    if one.enabling is not null then
      execute format('alter table %s %s trigger %I', one.of, one.enabling, one.name);
    end if;
  end loop;
end
$$;

drop procedure copy_narrow;
drop view narrow_columns;
drop table changing_columns;
