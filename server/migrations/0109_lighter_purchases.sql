-- # Lighter purchases: a journal with one index and room for updates, and packed bodies of events
set local lock_timeout = '400ms';

alter table effects set (fillfactor = 80);
alter table effects
  drop constraint effects_account_id_mode_key_key,
  -- So the primary key is one of this, too. Older rows hold it, since one function has made all keys.
  add constraint effects_key check (key = concat_ws(':', cart_id, attempt, step, nullif(number, 1))) not valid;

-- What texts are packed with, by number: the same bytes as in `server/src/platform/events/dictionaries.json`. None ever changes.
create function event_dictionary(number integer) returns bytea language sql immutable strict parallel safe as $$
  select case number when 1 then convert_to($text${"id":"evt_01jb2w9m4ye6xs3kq8t7v5c0zd","object":"event","type":"payment.authorized","api_version":"v1","mode":"test","created_at":"2026-11-23T09:30:10.000Z","data":{"payment":{"order_id":"ord_01jb2w9m4ye6xs3kq8t7v5c0zd","amount":4328,"currency":"USD","status":"authorized"}}}{"id":"pi_01jb2w9m4ye6xs3kq8t7v5c0zd","object":"purchase_intent","mode":"test","created_at":"2026-11-23T09:30:10.000Z","updated_at":"2026-11-23T09:30:10.000Z","profile_id":"prof_01jb2w9m4ye6xs3kq8t7v5c0zd","profile_payment_method_id":"pm_01jb2w9m4ye6xs3kq8t7v5c0zd","policy_id":null,"status":"awaiting_approval","summary":"A person must approve 2 items from blue-mugs.example for at most $54.76. Nothing is charged yet.","sequence":2,"currency_code":"USD","expected_amount":3998,"max_allowed_amount":5476,"actual_amount":0,"refunded_amount":0,"items":[{"id":"item_01jb2w9m4ye6xs3kq8t7v5c0zd","url":"https://blue-mugs.example/products/mug","quantity":2,"expected_amount":1999,"expected_currency":"USD","variant":{"sku":"MUG-L"},"quote_id":null,"request":null}],"carts":[],"execution_method":"automatic","preferences":{"fulfillment":{"method":"ship","speed":"cheapest","address_id":"addr_01jb2w9m4ye6xs3kq8t7v5c0zd","max_fee_amount":800},"promo_code":null},"next_action":{"type":"approve","element":"AddOrSelectPaymentMethod","expires_at":"2026-11-30T09:30:00.000Z"},"failure_reason":null,"policy_decision":{"result":"require_approval","evaluated":[]},"approval":{"required":true,"approved_by":null,"approved_at":null,"expires_at":"2026-11-30T09:30:00.000Z","valid_until":null},"offer_summary":null,"partial":false,"cancel_reason":null,"reference_id":"cart-1001","metadata":{},"started_at":null,"completed_at":null}{"id":"pi_01jb2w9m4ye6xs3kq8t7v5c0zd","object":"purchase_intent","mode":"test","created_at":"2026-11-23T09:30:10.000Z","updated_at":"2026-11-23T09:30:14.000Z","profile_id":"prof_01jb2w9m4ye6xs3kq8t7v5c0zd","profile_payment_method_id":"pm_01jb2w9m4ye6xs3kq8t7v5c0zd","policy_id":null,"status":"succeeded","summary":"Bought 2 items from blue-mugs.example: $43.28 charged.","sequence":12,"currency_code":"USD","expected_amount":3998,"max_allowed_amount":5476,"actual_amount":4328,"refunded_amount":0,"items":[{"id":"item_01jb2w9m4ye6xs3kq8t7v5c0zd","url":"https://blue-mugs.example/products/mug","quantity":2,"expected_amount":1999,"expected_currency":"USD","variant":{"sku":"MUG-L"},"quote_id":null,"request":null}],"carts":[{"id":"cart_01jb2w9m4ye6xs3kq8t7v5c0zd","object":"cart","mode":"test","created_at":"2026-11-23T09:30:14.000Z","updated_at":"2026-11-23T09:30:14.000Z","purchase_attempt_id":"att_01jb2w9m4ye6xs3kq8t7v5c0zd","status":"succeeded","attempt_number":1,"max_attempts":3,"can_retry":false,"can_cancel":false,"merchant":"Blue Mugs","merchant_domain":"blue-mugs.example","channel":"native","route":null,"items":[{"id":"item_01jb2w9m4ye6xs3kq8t7v5c0zd","url":"https://blue-mugs.example/products/mug","title":"Blue mug Large","quantity":2,"unit_amount":1999,"expected_amount":1999}],"currency_code":"USD","expected_amount":3998,"max_allowed_amount":5476,"actual_amount":4328,"refunded_amount":0,"offer":{"tax":330,"as_of":"2026-11-23T09:30:14.000Z","total":4328,"discount":0,"subtotal":3998,"fulfillment":0},"promo_code":null,"order":"ord_01jb2w9m4ye6xs3kq8t7v5c0zd","order_id":"A-1001","order_url":null,"transaction_id":"capt_3f0c9a51d27e48b6","failure_reason":null,"started_at":"2026-11-23T09:30:14.000Z","completed_at":"2026-11-23T09:30:14.000Z"}],"execution_method":"automatic","preferences":{"fulfillment":{"method":"ship","speed":"cheapest","address_id":"addr_01jb2w9m4ye6xs3kq8t7v5c0zd","max_fee_amount":800},"promo_code":null},"next_action":null,"failure_reason":null,"policy_decision":{"result":"require_approval","evaluated":[]},"approval":{"required":true,"approved_by":"person","approved_at":"2026-11-23T09:30:11.000Z","expires_at":"2026-11-30T09:30:00.000Z","valid_until":"2026-11-30T09:30:00.000Z"},"offer_summary":{"tax":330,"as_of":"2026-11-23T09:30:14.000Z","total":4328,"discount":0,"subtotal":3998,"fulfillment":0},"partial":false,"cancel_reason":null,"reference_id":"cart-1001","metadata":{},"started_at":"2026-11-23T09:30:14.000Z","completed_at":"2026-11-23T09:30:14.000Z"}{"id":"evt_01jb2w9m4ye6xs3kq8t7v5c0zd","object":"event","type":"order.requested","api_version":"v1","mode":"test","created_at":"2026-11-23T09:30:10.000Z","data":{"order":{"id":"ord_01jb2w9m4ye6xs3kq8t7v5c0zd","object":"order","mode":"test","created_at":"2026-11-23T09:30:12.000Z","updated_at":"2026-11-23T09:30:13.000Z","channel":"native","status":"confirmed","payment_status":"authorized","merchant":{"id":"acct_01jb2w9m4ye6xs3kq8t7v5c0zd","slug":"blue-mugs","domain":"blue-mugs.example","name":"Blue Mugs"},"customer":{"name":"Ada Lovelace","email":"ada@example.com","phone":"+13125550123"},"shipping_address":{"city":"Chicago","line1":"233 S Wacker Drive","line2":null,"state":"IL","country":"US","postal_code":"60606","recipient_name":"Ada Lovelace"},"currency":"USD","total_amount":4328,"authorized_amount":4328,"line_items":[{"sku":"MUG-L","url":"https://blue-mugs.example/products/mug","title":"Blue mug Large","amount":3998,"quantity":2,"unit_amount":1999,"catalog_item_id":"cat_01jb2w9m4ye6xs3kq8t7v5c0zd","catalog_variant_id":"var_01jb2w9m4ye6xs3kq8t7v5c001"}],"totals":[{"type":"subtotal","amount":3998},{"type":"fulfillment","amount":0},{"type":"tax","amount":330},{"type":"total","amount":4328}],"fulfillments":[],"adjustments":[],"refunds":[],"returns":[],"reservation_reference":null,"confirmation_reference":"A-1001","order_url":null,"note":null,"cancel_reason":null,"purchase_intent_id":null,"quote_id":null,"buyer":null,"expires_at":"2026-11-24T09:30:00.000Z","responded_at":"2026-11-23T09:30:13.000Z"}}}$text$, 'UTF8') end
$$;

-- A text that `packText` has packed, or left as it is: raw deflate (RFC 1951) with fixed codes, behind a head of five bytes. It takes 0.3 ms,
-- which only what seldom reads has time for: invariants, operators, and processes of the version before, which know texts alone.
create function unpack_text(packed bytea) returns text language plpgsql immutable strict parallel safe cost 10000 as $$
declare
  length_base constant integer[] := '{3,4,5,6,7,8,9,10,11,13,15,17,19,23,27,31,35,43,51,59,67,83,99,115,131,163,195,227,258}';
  length_more constant integer[] := '{0,0,0,0,0,0,0,0,1,1,1,1,2,2,2,2,3,3,3,3,4,4,4,4,5,5,5,5,0}';
  distance_base constant integer[] :=
    '{1,2,3,4,5,7,9,13,17,25,33,49,65,97,129,193,257,385,513,769,1025,1537,2049,3073,4097,6145,8193,12289,16385,24577}';
  distance_more constant integer[] := '{0,0,0,0,1,1,2,2,3,3,4,4,5,5,6,6,7,7,8,8,9,9,10,10,11,11,12,12,13,13}';
  known bytea;
  done bytea := '';
  unpacked bytea;
  size integer;
  ends integer;
  backward varbit;
  bits varbit;
  total integer;
  at integer := 0;
  code integer;
  symbol integer;
  more integer;
  run integer;
  distance integer;
  is_last boolean := false;
begin
  if length(packed) = 0 or get_byte(packed, 0) <> 255 then
    return convert_from(packed, 'UTF8');
  elsif length(packed) <= 5 then
    raise exception 'a packed text is broken';
  end if;
  known := event_dictionary(get_byte(packed, 1));
  if known is null then
    raise exception 'a packed text needs dictionary %, which this database does not have', get_byte(packed, 1);
  end if;
  size := (get_byte(packed, 2) << 16) + (get_byte(packed, 3) << 8) + get_byte(packed, 4);
  unpacked := known;
  ends := length(known) + size;
  select repeat('0', 16) || string_agg(get_byte(packed, i)::bit(8)::text, '' order by i desc) into backward
  from generate_series(5, length(packed) - 1) as i;
  total := length(backward) - 16;
  bits := substr(reverse(backward::text), 1, total)::varbit;
  while not is_last loop
    code := substring(bits from at + 1 for 3)::bit(3)::integer;
    is_last := code >= 4;
    at := at + 3;
    if code & 3 = 0 then
      at := (at + 7) / 8 * 8;
      run := get_byte(packed, 5 + at / 8) + (get_byte(packed, 6 + at / 8) << 8);
      unpacked := unpacked || substr(packed, 10 + at / 8, run);
      at := at + 32 + 8 * run;
      continue;
    elsif code & 3 <> 2 then
      raise exception 'a packed text has a block of a kind that none is packed with';
    end if;
    loop
      if at >= total or length(unpacked) > ends then
        raise exception 'a packed text is broken';
      end if;
      -- No match reaches further back than 32 kB.
      if length(unpacked) > 65536 then
        run := length(unpacked) - 32768;
        done := done || substr(unpacked, 1, run);
        unpacked := substr(unpacked, run + 1);
        ends := ends - run;
      end if;
      code := substring(bits from at + 1 for 9)::bit(9)::integer;
      if code < 96 then
        symbol := 256 + (code >> 2);
        at := at + 7;
        exit when symbol = 256;
      elsif code < 384 then
        unpacked := unpacked || set_byte('\x00', 0, (code >> 1) - 48);
        at := at + 8;
        continue;
      elsif code < 400 then
        symbol := 280 + (code >> 1) - 192;
        at := at + 8;
      else
        unpacked := unpacked || set_byte('\x00', 0, code - 256);
        at := at + 9;
        continue;
      end if;
      more := length_more[symbol - 256];
      run := length_base[symbol - 256]
        + (substring(backward from total - at + 1 for 16)::bit(16)::integer & ((1 << more) - 1));
      at := at + more;
      symbol := substring(bits from at + 1 for 5)::bit(5)::integer + 1;
      more := distance_more[symbol];
      at := at + 5;
      distance := distance_base[symbol]
        + (substring(backward from total - at + 1 for 16)::bit(16)::integer & ((1 << more) - 1));
      at := at + more;
      if distance is null or distance > length(unpacked) then
        raise exception 'a packed text is broken';
      end if;
      while run > 0 loop
        unpacked := unpacked || substr(unpacked, length(unpacked) - distance + 1, least(run, distance));
        run := run - distance;
      end loop;
    end loop;
  end loop;
  if length(unpacked) <> ends then
    raise exception 'a packed text is broken';
  end if;
  return convert_from(substr(done || unpacked, length(known) + 1), 'UTF8');
end
$$;

alter table event_rows
  add column object_bytes bytea,
  add column envelope_bytes bytea,
  drop column object_form,
  drop constraint event_rows_object,
  -- Older rows hold it, since they held the one before; and to look at them all would lock them all.
  add constraint event_rows_object check (
    num_nonnulls(object, object_bytes, object_at) = 1 and num_nonnulls(envelope, envelope_bytes) < 2
  ) not valid;

-- `object` and `envelope` are their texts, whatever form they stand in. Code reads their bytes, and unpacks them itself.
create or replace view events as
  select account_id, mode, id, type, aggregate_id, sequence, cart_id, actor_type, actor_id, request_id,
    coalesce(unpack_text(object_bytes), object, (
      select coalesce(unpack_text(o.object_bytes), o.object) from event_rows o
      where o.account_id = r.account_id and o.mode = r.mode and o.aggregate_id = r.aggregate_id and o.sequence = r.object_at
    )) as object,
    recipient_account_id, coalesce(unpack_text(envelope_bytes), envelope) as envelope, created_at,
    coalesce(object_bytes, convert_to(object, 'UTF8'), (
      select coalesce(o.object_bytes, convert_to(o.object, 'UTF8')) from event_rows o
      where o.account_id = r.account_id and o.mode = r.mode and o.aggregate_id = r.aggregate_id and o.sequence = r.object_at
    )) as object_bytes,
    coalesce(envelope_bytes, convert_to(envelope, 'UTF8')) as envelope_bytes
  from event_rows r;
