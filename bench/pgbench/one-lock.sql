-- What a purchase that a policy allows unattended writes, under the one lock that all of them wait for: the policy.
\set n :n + 1
begin;
select version from policies where account_id = :account::text and mode = 'test' and id = :policy::text for no key update;
update policy_windows set reserved = reserved + 3825, count = count + 1 where account_id = :account::text and mode = 'test' and policy_id = :policy::text;
with intent as (
insert into purchase_intents (account_id, mode, id, profile_id, api_key_id, payment_method_id, policy_id, status, currency,
  expected_amount, max_allowed_amount, actual_amount, settled_amount, caller_max_amount, fee_allowance, tax_allowance,
  tolerance_basis_points, on_price_exceed, items, fulfillment, policy_decision, policy_result, approval_required, approved_by,
  approved_at, approval_expires_at, payment_verified_at, next_action, failure, partial, cancel_reason, offer_summary, reapproval,
  reference_id, metadata, idempotency_key, actor_type, actor_id, merchants, search, seq, due_at, created_at, updated_at, started_at,
  completed_at, buyer)
values (:account::text, 'test', 'pi_' || :run::text || :client_id::text || 'x' || :n::text, :profile::text,
  'key_01jb2w9m4ye6xs3kq8t7v5c0zd', null, null, 'queued', 'USD', 2500, 3825, 0, 0, null, 800, 300, 500, 'reapprove',
  '[{"id": "item_01jb2w9m4ye6xs3kq8t7v5c0zd","url": "https://sandbox-merchant.example/items/ok","quantity": 1,"unit_amount": 2500,"variant": null,"quote_id": null,"domain": "sandbox-merchant.example","mcc": "5999","country": "US"}]', '{"method": "ship","speed": "cheapest","address_id": "addr_01jb2w9m4ye6xs3kq8t7v5c0zd","max_fee_amount": 800,"address": {"id": "addr_01jb2w9m4ye6xs3kq8t7v5c0zd","address_type": "both","line1": "1 Analytical Way","city": "Portland","state": "OR","postal_code": "97201","country": "US","is_default": true},"country": "US"}',
  '{"result": "require_approval","evaluated": []}', 'allow', false, 'policy', now(), null, null,
  '{"type": "approve","element": null,"expires_at": "2031-01-01T00:00:00.000Z"}', null, false, null, null, null, 'bench', '{"order": "bench"}',
  'key' || :run::text || :client_id::text || 'x' || :n::text, 'api_key', 'key_01jb2w9m4ye6xs3kq8t7v5c0zd', '{sandbox-merchant.example}',
  'pi_' || :run::text || :client_id::text || 'x' || :n::text || ' prof_01jb2w9m4ye6xs3kq8t7v5c0zd bench sandbox-merchant.example',
  2, now() + interval '1 day', now(), now(), null, null,
  '{"first_name": "Ada","last_name": "Lovelace","email": "ada@example.com","phone": "+15035550100","bill_to": "ship_to"}')
), two_events as (
insert into event_rows (account_id, mode, id, type, aggregate_id, sequence, cart_id, actor_type, actor_id, request_id, object_bytes,
  object_at, recipient_account_id, envelope_bytes, created_at)
values (:account::text, 'test', 'evt_' || :run::text || :client_id::text || 'x' || :n::text || 'a', 'purchase_intent.created',
    'pi_' || :run::text || :client_id::text || 'x' || :n::text, 1, null, 'api_key',
    'key_01jb2w9m4ye6xs3kq8t7v5c0zd', 'req_01jb2w9m4ye6xs3kq8t7v5c0zd', '\xff01000491a371cfddd840d7c050d7c030c400e43e2427a215a838d50d8a9e3bb6e153221bf946a60606d81bf9c61646a6d8063129ecef1427e6a524e557e8c2ea1078610336573f3f1ba5676388d3c94474aeb1a558b491c9c1d02e2665a0116b3e3336c49a3887cc90226ef7536dfc3029352f3903b57d0aef1342e4881d4a0400', null, null, null, now()),
  (:account::text, 'test', 'evt_' || :run::text || :client_id::text || 'x' || :n::text || 'b', 'purchase_intent.awaiting_approval',
    'pi_' || :run::text || :client_id::text || 'x' || :n::text, 2, null, 'api_key',
    'key_01jb2w9m4ye6xs3kq8t7v5c0zd', 'req_01jb2w9m4ye6xs3kq8t7v5c0zd', null, 1, null, null, now())
), pointers as (
insert into outbox (shard, lane, account_id, mode, aggregate_id, first_sequence, last_sequence, is_delivered, is_followed, created_at)
values (3, 1, :account::text, 'test', 'pi_' || :run::text || :client_id::text || 'x' || :n::text, 1, 2, false, false, now())
)
insert into idempotency_keys (account_id, mode, operation, key, keyed_digest, digest_key, status, headers, event_id, object_id, body, created_at)
values (:account::text, 'test', 'v1_create_purchase_intent', 'key' || :run::text || :client_id::text || 'x' || :n::text,
  '\x0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef', 'k1', 201, null,
  'evt_' || :run::text || :client_id::text || 'x' || :n::text || 'a', 'pi_' || :run::text || :client_id::text || 'x' || :n::text, null, now());
insert into policy_reservations (account_id, mode, intent_id, policy_id, number, version, amount, count, window_starts, state, created_at)
values (:account::text, 'test', 'pi_' || :run::text || :client_id::text || 'x' || :n::text, :policy::text, 1, 1, 3825, 1,
  '{"day": "2030-01-01T00:00:00.000Z", "week": "2030-01-01T00:00:00.000Z", "month": "2030-01-01T00:00:00.000Z"}', 'reserved', now());
commit;
