-- A purchase writes rows whose parents its own transaction holds or has just read, and PostgreSQL looked for each of these parents once more,
-- by a locked read. Parents are never removed, which is now refused whoever tries, and invariants M10 and M10-orders look for rows without
-- their parents. The keys of carts to their purchase, of policies and of refunds stay.
set local lock_timeout = '400ms';

alter table purchase_intents
  drop constraint purchase_intents_account_id_fkey,
  drop constraint purchase_intents_account_id_mode_profile_id_fkey,
  drop constraint purchase_intents_account_id_mode_payment_method_id_fkey,
  drop constraint purchase_intents_account_id_mode_policy_id_fkey;
alter table orders
  drop constraint orders_account_id_fkey,
  drop constraint orders_merchant_account_id_mode_fkey,
  drop constraint orders_account_id_mode_purchase_intent_id_fkey,
  drop constraint orders_account_id_mode_cart_id_fkey;
alter table effects drop constraint effects_account_id_mode_cart_id_fkey;
alter table authorizations drop constraint authorizations_account_id_mode_cart_id_fkey;

create function refuse_removal() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are not removed: purchases refer to them', tg_table_name
    using errcode = 'restrict_violation', constraint = tg_name;
end
$$;

do $$
declare
  parent text;
begin
  foreach parent in array array['accounts', 'profiles', 'payment_methods', 'policies', 'merchants', 'purchase_intents', 'carts']
  loop
    execute format('create trigger refuse_removal before delete on %I for each statement execute function refuse_removal()', parent);
  end loop;
end
$$;
