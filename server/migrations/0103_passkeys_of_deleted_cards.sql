-- # Passkeys of cards that were deleted
set local lock_timeout = '400ms';

-- From here on they go with the card. Those that are left of cards that were deleted before prove nothing, and go too.
delete from card_passkeys p using payment_methods m
  where m.account_id = p.account_id and m.mode = p.mode and m.id = p.payment_method_id and m.deleted_at is not null;
