-- Orders of buyers without an account that name the search in which the goods were found. What a token does not say truly is kept as well:
-- it changes nothing, and it is counted.
create table attributed_orders (
  account_id text collate "C" not null references accounts,
  mode mode not null,
  order_id text collate "C" not null,
  -- The id in the token; null: the token is none of ours.
  attribution_id bytea,
  standing text not null check (standing in ('counted', 'expired', 'other_merchant', 'invalid')),
  created_at timestamptz not null,
  primary key (account_id, mode, order_id),
  check ((attribution_id is null) = (standing = 'invalid'))
);
