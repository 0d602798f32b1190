-- Whether issued cards may be shown to shops
set local lock_timeout = '400ms';

create table card_programs (
  mode mode primary key,
  -- The operator has seen that the issuer declines what nobody has answered in time.
  confirmed_at timestamptz,
  confirmed_by text,
  -- Since when no card is shown to a shop, because a charge was allowed that nobody here has allowed; null: cards are shown.
  stopped_at timestamptz,
  -- That charge, as its rail names it.
  stopped_by text collate "C",
  check ((confirmed_at is null) = (confirmed_by is null)),
  check ((stopped_at is null) = (stopped_by is null))
);
