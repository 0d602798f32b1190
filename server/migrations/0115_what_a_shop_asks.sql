-- What a shop elsewhere asks its buyer
set local lock_timeout = '400ms';

-- {given: [{host, name, label, owner, sealed}], session, asked}: what a person has told. It is the last column, so that updates of others do not log it again.
alter table carts add column answers jsonb;

-- A question names the item that it is about, where it is one of a merchant of ours, and the page that waits for its answer.
update carts c
set question = jsonb_build_object('until', c.question -> 'until', 'session', null, 'fields', (
  select jsonb_agg((f.value - 'item_id' - 'input' - 'is_yes_or_no') || jsonb_build_object('of_item', jsonb_strip_nulls(jsonb_build_object(
    'id', f.value -> 'item_id', 'input', f.value -> 'input', 'is_yes_or_no', f.value -> 'is_yes_or_no'))) order by f.place)
  from jsonb_array_elements(c.question -> 'fields') with ordinality as f(value, place)))
where c.question is not null;

-- Answers that a profile keeps for a shop. The value is sealed, bound to the profile, the exact host and the name of the field.
create table shop_answers (
  account_id text collate "C" not null,
  mode mode not null,
  profile_id text collate "C" not null,
  host text collate "C" not null,
  name text collate "C" not null,
  -- The registrable domain of the shop, by which purchases find them.
  domain text collate "C" not null,
  label text not null,
  sealed text not null,
  kept_at timestamptz not null,
  primary key (account_id, mode, profile_id, host, name),
  foreign key (account_id, mode, profile_id) references profiles
);

-- [{host, name, label}]: which kept answers it may be bought with, as it was shown when it was made.
alter table purchase_intents add column kept_answers jsonb;
