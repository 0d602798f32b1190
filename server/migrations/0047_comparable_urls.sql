-- no transaction
-- A purchase finds an item by its URL without `www.`, without a slash at the end of the path and without tracking parameters. `url_key` stays
-- as it is: it is what is unique, and what the version before finds items by. So the form is made of it where it is asked for, of rows
-- from any time and any version alike. `comparableUrl` makes the same; another list of parameters is another function and another index.
create or replace function prokura_comparable_url(url_key text) returns text language sql immutable parallel safe as $$
  select regexp_replace(rtrim(split_part(url_key, '?', 1), '/'), '^(https?://)(?:www\.)+(?=[^/:]+\.)', '\1') ||
    coalesce('?' || substr(nullif(regexp_replace(
      case when strpos(url_key, '?') = 0 then '' else '&' || substr(url_key, strpos(url_key, '?') + 1) end,
      '&(?:utm_[^=&]*|gclid|gclsrc|gbraid|wbraid|dclid|fbclid|msclkid|srsltid|ttclid|twclid|yclid|igshid|li_fat_id|epik|mc_cid|mc_eid|_ga|_gl|ref)(?:=[^&]*)?(?=&|$)',
      '', 'gi'), ''), 2), '')
$$;
create index concurrently if not exists catalog_items_comparable_url
  on catalog_items (account_id, mode, prokura_comparable_url(url_key)) where status = 'published';
