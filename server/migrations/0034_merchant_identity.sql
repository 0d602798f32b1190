-- Who sells is fixed when a quote or a purchase is made; what of it the operator has confirmed; and test domains that accounts share.
set local lock_timeout = '400ms';

alter table merchants
  -- The category and the country that count in live mode. Each counts as long as the merchant claims exactly it. Without a time nobody
  -- has looked at it: it is kept from before it had to be confirmed.
  add column mcc_confirmed text,
  add column mcc_confirmed_at timestamptz,
  add column country_confirmed text,
  add column country_confirmed_at timestamptz,
  -- The domain that counts as verified because test mode shares reserved names out. It means something only while it is `domain`, and
  -- verified: the version before this one changes these two and knows nothing of the third.
  add column test_domain text;

update merchants set mcc_confirmed = mcc, country_confirmed = country
where mode = 'live' and domain_verified_at is not null and (mcc is not null or country is not null);

-- Null where the version before this one wrote the quote: then its other columns say whom it asked.
alter table quotes add column merchant_identity jsonb;

create function merchant_identity(m merchants) returns jsonb language sql immutable as $$
  select jsonb_build_object('account_id', m.account_id, 'domain', m.domain, 'is_verified', m.domain_verified_at is not null,
    'mcc', m.mcc, 'is_mcc_confirmed', m.mode = 'test' or coalesce(m.mcc = m.mcc_confirmed, false),
    'country', m.country, 'is_country_confirmed', m.mode = 'test' or coalesce(m.country = m.country_confirmed, false))
$$;

update quotes q set merchant_identity = merchant_identity(m)
from merchants m
where q.status in ('pending', 'quoted', 'requires_input')
  and m.account_id = q.merchant_account_id and m.mode = q.mode;

-- Of purchases that can still buy, each item with the merchant that it would be bought from at this moment; null where that is none
-- of ours. As execution finds it: whoever quoted, else a verified domain before a claimed one, a longer before a shorter.
update purchase_intents p set items = (
  select jsonb_agg(item.of_it || jsonb_build_object('merchant', (
    select merchant_identity(m) from merchants m
    where m.mode = p.mode and case when item.of_it ? 'merchant_account_id' then m.account_id = item.of_it ->> 'merchant_account_id'
      else (m.domain_verified_at is not null or m.account_id = p.account_id)
        and (host.name = m.domain or right(host.name, length(m.domain) + 1) = '.' || m.domain) end
    order by m.domain_verified_at is not null desc, length(m.domain) desc limit 1)) order by item.place)
  from jsonb_array_elements(p.items) with ordinality as item (of_it, place)
  cross join lateral (
    select lower(substring(item.of_it ->> 'url' from '^https://(?:[^/?#@]*@)?([^/?#:]+)')) as name) as host)
where p.status in ('awaiting_approval', 'queued', 'approved', 'awaiting_merchant_auth', 'merchant_auth_failed', 'failed')
  and jsonb_array_length(p.items) > 0;

drop function merchant_identity(merchants);

-- Keys carry the scopes that their preset had when they were issued.
update api_keys set scopes = scopes || array['merchant:identity'] where preset = 'full' and kind = 'secret';
