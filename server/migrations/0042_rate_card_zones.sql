-- Where the active rate cards go to, taken apart, so that of a merchant's cards no more leaves the database than an address can need: the
-- zone's place in the card's list, a country, one of its subdivisions or any (''), and the beginning of a postal code or any (''), in the
-- form in which places are compared. A card without zones goes everywhere: one row without a country. A subdivision that is written as
-- nothing but its country is '?', which is in no address.
--
-- A trigger keeps them, since the version before this one writes cards too. It reads none of this.
set local lock_timeout = '400ms';

create table rate_card_zones (
  account_id text collate "C" not null,
  mode mode not null,
  rate_card_id text collate "C" not null,
  position integer not null,
  country text collate "C" not null,
  subdivision text collate "C" not null,
  postal_prefix text collate "C" not null,
  city text,
  radius_km double precision,
  -- No key to the card refers here: thousands of rows would be checked one by one that nobody but the card's own trigger writes.
  primary key (account_id, mode, rate_card_id, position, postal_prefix)
);
create index rate_card_zones_place on rate_card_zones (account_id, mode, country, postal_prefix, subdivision);

create function rate_card_places(zones jsonb)
returns table (place_position integer, country text, subdivision text, postal_prefix text, city text, radius_km double precision)
language sql immutable as $$
  select distinct (z.number - 1)::integer, z.zone ->> 'country',
    case when z.zone ->> 'subdivision' is null then ''
      else coalesce(nullif(regexp_replace(
        upper(btrim(z.zone ->> 'subdivision') collate "C"), '^' || (z.zone ->> 'country') || '-', ''), ''), '?') end,
    coalesce(translate(upper(p.prefix collate "C"), ' -', ''), ''),
    z.zone ->> 'city', (z.zone ->> 'radius_km')::double precision
  from jsonb_array_elements(zones) with ordinality as z (zone, number)
  left join lateral jsonb_array_elements_text(z.zone -> 'postal_prefixes') as p (prefix) on true
  union all
  select 0, '', '', '', null, null where zones = '[]'
$$;

create function spread_rate_card_zones() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from rate_card_zones where account_id = old.account_id and mode = old.mode and rate_card_id = old.id;
  end if;
  if new.status = 'active' then
    insert into rate_card_zones (account_id, mode, rate_card_id, position, country, subdivision, postal_prefix, city, radius_km)
    select new.account_id, new.mode, new.id, places.* from rate_card_places(new.zones) as places
    on conflict do nothing;
  end if;
  return null;
end
$$;
create trigger spread_rate_card_zones after insert on rate_cards for each row execute function spread_rate_card_zones();
create trigger spread_rate_card_zones_again after update of zones, status on rate_cards for each row
  when (old.zones is distinct from new.zones or old.status is distinct from new.status) execute function spread_rate_card_zones();

insert into rate_card_zones (account_id, mode, rate_card_id, position, country, subdivision, postal_prefix, city, radius_km)
select c.account_id, c.mode, c.id, places.* from rate_cards c cross join lateral rate_card_places(c.zones) as places
where c.status = 'active';

-- A backup brings the cards and these rows, in any order: what is written by itself replaces what a card has brought.
create function replace_rate_card_zone() returns trigger language plpgsql as $$
begin
  delete from rate_card_zones where account_id = new.account_id and mode = new.mode and rate_card_id = new.rate_card_id
    and position = new.position and postal_prefix = new.postal_prefix;
  return new;
end
$$;
create trigger replace_rate_card_zone before insert on rate_card_zones for each row
  when (pg_trigger_depth() = 0) execute function replace_rate_card_zone();
