-- Who buys is fixed when money is released
set local lock_timeout = '400ms';

-- {first_name, last_name, email, phone, bill_to}: what merchants are told; bill_to is an address, "ship_to" where it is the same, or null. It is the last column, so that updates of others do not log it again.
alter table purchase_intents add column buyer jsonb;

update purchase_intents i
set buyer = jsonb_build_object('first_name', p.first_name, 'last_name', p.last_name, 'email', p.email, 'phone', p.phone,
  'bill_to', (
    select a.value from jsonb_array_elements(p.addresses) with ordinality as a(value, place)
    where a.value ->> 'address_type' <> 'shipping'
    order by (a.value -> 'is_default')::boolean desc, a.place
    limit 1))
from profiles p
where p.account_id = i.account_id and p.mode = i.mode and p.id = i.profile_id
  and (i.approved_at is not null or i.started_at is not null);

-- Nothing is bought for somebody whom the purchase does not name.
alter table purchase_intents add constraint purchase_intents_buyer
  check (buyer is not null or status not in ('queued', 'approved', 'awaiting_merchant_auth', 'merchant_auth_failed')) not valid;
