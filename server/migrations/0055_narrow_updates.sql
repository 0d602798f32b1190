-- An update of a row on its own page logs what lies between the first byte that changes and the last one. In purchases, carts and orders a
-- status stood in front and the times at the end, so each of a dozen updates logged what lay between them: what is bought, where it goes,
-- by whom. Here each table is made once more with what changes behind what does not, and with room for updates on every page; 0056
-- copies the rows while the service runs, and 0057 puts the new tables in the place of the old ones. Names, types and rules stay.
set local lock_timeout = '400ms';

-- What changes, in its order; the larger first, since they change least. Everything else stands before it as it did.
create table changing_columns (of text primary key, columns text[] not null, fillfactor smallint not null);
insert into changing_columns (of, columns, fillfactor) values
  ('purchase_intents', array['items', 'search', 'next_action', 'failure', 'reapproval', 'retry', 'cancel_reason', 'offer_summary', 'status',
    'partial', 'approved_by', 'approved_at', 'approval_expires_at', 'payment_verified_at', 'actual_amount', 'settled_amount', 'seq',
    'due_at', 'is_due', 'lease_until', 'lease_token', 'step_failures', 'step_failing_since', 'step_error', 'started_at', 'completed_at',
    'updated_at'], 75),
  ('carts', array['items', 'failure', 'offer', 'attempts_data', 'status', 'stage', 'attempt_number', 'attempt_id', 'outcome_known',
    'past_no_return', 'actual_amount', 'order_row_id', 'order_id', 'transaction_id', 'due_at', 'is_due', 'lease_until', 'lease_token',
    'step_failures', 'step_failing_since', 'step_error', 'started_at', 'completed_at', 'updated_at'], 80),
  ('orders', array['search', 'fulfillments', 'adjustments', 'refunds', 'returns', 'note', 'cancel_reason', 'reservation_reference',
    'confirmation_reference', 'status', 'payment_status', 'response_digest', 'responded_by_type', 'responded_by_id', 'responded_at',
    'authorized_amount', 'refunds_amount', 'seq', 'due_at', 'is_due', 'lease_until', 'lease_token', 'step_failures', 'step_failing_since',
    'step_error', 'updated_at'], 80);

create view narrow_columns as
  select c.of, a.attname::text as name, a.attgenerated <> '' as is_generated,
    row_number() over (partition by c.of order by coalesce(array_position(c.columns, a.attname::text), 0), a.attnum) as place,
    concat_ws(' ', quote_ident(a.attname), format_type(a.atttypid, a.atttypmod),
      case when a.attcollation <> t.typcollation then 'collate ' || a.attcollation::regcollation end,
      case when a.attgenerated <> '' then format('generated always as (%s) stored', pg_get_expr(d.adbin, d.adrelid))
        when d.adbin is not null then 'default ' || pg_get_expr(d.adbin, d.adrelid) end,
      case when a.attnotnull then format('constraint %I not null', c.of || '_' || a.attname || '_not_null') end) as definition
  from changing_columns c
  join pg_attribute a on a.attrelid = to_regclass(c.of) and a.attnum > 0 and not a.attisdropped
  join pg_type t on t.oid = a.atttypid
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum;

do $do$
declare
  made record;
  one record;
begin
  for made in
    select c.of, c.of || '_narrow' as new, c.fillfactor, string_agg(n.definition, ', ' order by n.place) as definitions,
      string_agg(quote_ident(n.name), ', ' order by n.place) filter (where not n.is_generated) as names,
      string_agg('new.' || quote_ident(n.name), ', ' order by n.place) filter (where not n.is_generated) as changed,
      string_agg(format('%1$I = excluded.%1$I', n.name), ', ' order by n.place) filter (where not n.is_generated) as changes
    from changing_columns c join narrow_columns n using (of) group by c.of
  loop
    execute format('create table %I (%s) with (fillfactor = %s)', made.new, made.definitions, made.fillfactor);
    -- What holds for new rows alone is added once the old ones are there.
    for one in select conname, pg_get_constraintdef(oid) as rule from pg_constraint
      where conrelid = made.of::regclass and contype = 'c' and convalidated
    loop
      execute format('alter table %I add constraint %I %s', made.new, one.conname, one.rule);
    end loop;
    for one in select i.indexrelid::regclass::text || '_narrow' as name, i.indisunique, c.contype,
        substring(pg_get_indexdef(i.indexrelid) from ' USING .*$') as rest
      from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.conrelid = i.indrelid
      where i.indrelid = made.of::regclass
    loop
      execute format('create %s index %I on %I %s', case when one.indisunique then 'unique' end, one.name, made.new,
        -- Few orders have a reference when they are inserted.
        one.rest || case when one.name = 'orders_confirmation_reference_narrow' then ' where confirmation_reference is not null' else '' end);
      if one.contype is not null then
        execute format('alter table %I add %s using index %I', made.new, case one.contype when 'p' then 'primary key' else 'unique' end,
          one.name);
      end if;
    end loop;
    for one in select g.privilege_type, g.grantee from pg_class c cross join lateral aclexplode(c.relacl) g
      where c.oid = made.of::regclass and g.grantee <> c.relowner
    loop
      execute format('grant %s on %I to %s', one.privilege_type, made.new,
        case when one.grantee = 0 then 'public' else one.grantee::regrole::text end);
    end loop;
    execute format($body$create function write_%1$s() returns trigger language plpgsql as $f$
      begin
        insert into %1$I (%2$s) values (%3$s) on conflict (account_id, mode, id) do update set %4$s;
        return null;
      end
      $f$
    $body$, made.new, made.names, made.changed, made.changes);
    execute format('create trigger write_narrow after insert or update on %I for each row execute function write_%s()', made.of, made.new);
    execute format('alter table %I enable always trigger write_narrow', made.of);
  end loop;
end
$do$;

-- A row is copied while it is held, so that it does not change meanwhile, and one that somebody holds is left for later: a wait here for
-- one that waits for a copied row would never end. First all rows in the order of their keys, then what was left, until nothing is.
create procedure copy_narrow(copied text) language plpgsql as $$
declare
  names text;
  reached record;
  left_behind tid[];
begin
  select string_agg(quote_ident(name), ', ') into names from narrow_columns where of = copied and not is_generated;
  select '' as account_id, 'test'::mode as mode, '' as id into reached;
  loop
    execute format($copy$with held as materialized (
        select * from %1$I where (account_id, mode, id) > ($1, $2, $3)
        order by account_id, mode, id limit 500 for no key update skip locked
      ), copied as (
        insert into %2$I (%3$s) select %3$s from held on conflict (account_id, mode, id) do nothing
      )
      select account_id, mode, id from held order by account_id desc, mode desc, id desc limit 1$copy$, copied, copied || '_narrow', names)
    into reached using reached.account_id, reached.mode, reached.id;
    exit when reached.id is null;
    commit;
  end loop;
  loop
    execute format('select array_agg(ctid) from (select o.ctid from %I o where not exists (
        select from %I n where n.account_id = o.account_id and n.mode = o.mode and n.id = o.id) limit 500) as one', copied, copied || '_narrow')
    into left_behind;
    exit when left_behind is null;
    execute format('with held as materialized (select * from %1$I where ctid = any ($1) for no key update skip locked)
      insert into %2$I (%3$s) select %3$s from held on conflict (account_id, mode, id) do nothing', copied, copied || '_narrow', names)
    using left_behind;
    commit;
    perform pg_sleep(0.1);
  end loop;
end
$$;
