-- What is published, as it is searched for: a narrow row for each item, and the words that items have. Followers of item events keep them,
-- so nothing that writes items waits for the index.

-- The words of a text: lower case, without accents, separated by spaces. What is not a letter or a digit separates words, in any locale.
create function prokura_words(written text) returns text language sql immutable parallel safe as $$
  select btrim(regexp_replace(
    lower(regexp_replace(normalize(coalesce(written, ''), nfkd), '[\u0300-\u036f]', '', 'g')),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f\ufe00-\ufe0f]+', ' ', 'g'))
$$;

-- A word, and what is left of it without one of its letters: two words that share one of these differ by one letter, or by two that are
-- exchanged. Long words only, and of those the first letters: a word of 30 letters has no typing errors that matter.
create function prokura_spellings(word text) returns text[] language sql immutable parallel safe as $$
  select array(select word union select overlay(word placing '' from n for 1) from generate_series(1, least(length(word), 24)) n
    where length(word) >= 3)
$$;

-- Each word as it is written, and its stem by the rules of English, so that boots find a boot.
create function prokura_word_vector(words text, weight "char") returns tsvector language sql immutable parallel safe as $$
  select setweight(to_tsvector('simple'::regconfig, words) || to_tsvector('english'::regconfig, words), weight)
$$;

create table listings (
  account_id text collate "C" not null,
  mode mode not null,
  -- Of the catalog item.
  id text collate "C" not null,
  words tsvector not null,
  -- How many words the title has: a match is worth more where the title has few others.
  title_words integer not null,
  item_type text collate "C" not null,
  -- In the form of `prokura_words`.
  categories text[] not null,
  -- Of the variants that can be priced, in the currency of the first one.
  currency text collate "C" not null,
  price_min bigint not null,
  price_max bigint not null,
  is_available boolean not null,
  primary key (account_id, mode, id)
);
create unique index listings_newest on listings (mode, id);
create index listings_by_price on listings (mode, currency, price_min, id);
-- A search reads what is not yet merged into the index as well, so that stays small.
create index listings_words on listings using gin (words) with (gin_pending_list_limit = 512);

create table listing_words (
  mode mode not null,
  word text collate "C" not null,
  spellings text[] collate "C" not null,
  primary key (mode, word)
);
create index listing_words_spellings on listing_words using gin (spellings);
create index listing_words_similar on listing_words using gin (word gin_trgm_ops);

-- A listing as its item makes it.
create function prokura_listing(item catalog_items) returns setof listings language sql stable parallel safe as $$
  select item.account_id, item.mode, item.id,
    prokura_word_vector(prokura_words(concat_ws(' ', item.title, item.handle, codes.said)), 'A')
      || prokura_word_vector(prokura_words(array_to_string(item.categories, ' ') || ' ' || coalesce(choices.said, '')), 'B')
      || prokura_word_vector(prokura_words(left(item.description, 2000)), 'D'),
    cardinality(string_to_array(prokura_words(item.title), ' ')),
    item.item_type, array(select prokura_words(category) from unnest(item.categories) as category),
    priced.currency, priced.price_min, priced.price_max, priced.is_available
  from (
    select string_agg(concat_ws(' ', variant ->> 'sku', variant ->> 'barcode'), ' ') as said from jsonb_array_elements(item.variants) as variant
  ) codes, (
    select string_agg(distinct concat_ws(' ', variant ->> 'title', chosen ->> 'value'), ' ') as said
    from jsonb_array_elements(item.variants) as variant
    left join lateral jsonb_array_elements(coalesce(variant -> 'options', '[]')) as chosen on true
  ) choices, (
    select first.currency, min((variant ->> 'price')::bigint) as price_min, max((variant ->> 'price')::bigint) as price_max,
      bool_or(variant ->> 'availability' not in ('out_of_stock', 'discontinued')
        and (variant ->> 'availability' <> 'in_stock' or variant ->> 'quantity' is distinct from '0')) as is_available
    from (
      select one ->> 'currency' as currency from jsonb_array_elements(item.variants) with ordinality as of (one, place)
      where one ->> 'price' is not null order by place limit 1
    ) first, jsonb_array_elements(item.variants) as variant
    where variant ->> 'price' is not null and variant ->> 'currency' = first.currency group by first.currency
  ) priced
  where item.status = 'published'
$$;

insert into listings select listed.* from catalog_items i cross join lateral prokura_listing(i) listed where i.status = 'published';
insert into listing_words (mode, word, spellings)
select mode, lexeme, prokura_spellings(lexeme) from (
  select distinct l.mode, one.lexeme from listings l, unnest(ts_filter(l.words, '{a,b}')) as one
) as found
where lexeme ~ '^[^0-9]{2,40}$';
